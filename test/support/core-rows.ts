import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nothingTold } from '../../app/operations/settlement/settlement.ts';
import type { OperationChange } from '../../app/store/rows/delivery.ts';
import type { NewOperation } from '../../app/store/schema/new-operation.ts';
import type { OperationEvent } from '../../shared/machines/operation.ts';

export const rowTimeMs = Date.parse('2026-11-20T18:13:00.000Z');

/** A row as the intake would save it. */
export function newRow(rowId: number, part: Partial<NewOperation> = {}): NewOperation {
  const externalRef = part.externalRef ?? `R-${rowId}`;
  return {
    rowId,
    operationId: `00000000-0000-4000-8000-${String(rowId).padStart(12, '0')}`,
    intent: 'earn',
    delivery: 'deferred',
    origin: 'bridge',
    posName: null,
    employeeRef: null,
    givenName: null,
    givenKind: null,
    state: 'queued',
    externalRef,
    identifierKind: 'loyalty_id',
    identifierValue: `LC-${rowId}`,
    customerName: null,
    cardId: null,
    amountMinor: 12_500,
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    occurredAtMs: rowTimeMs + rowId,
    occurredAtFrom: 'till',
    businessDate: '2026-11-20',
    tillTimeMs: part.savedAtMs ?? rowTimeMs,
    monotonicMs: 1.5,
    clockSkewMs: null,
    path: '/transactions/earn',
    body: JSON.stringify({ external_ref: externalRef }),
    idempotencyKey: null,
    savedAtMs: rowTimeMs,
    reversesRowId: null,
    replacesRowId: null,
    ...part,
  };
}

/** A change that says nothing but its event. */
export function newChange(rowId: number, event: OperationEvent, part: Partial<OperationChange> = {}): OperationChange {
  const needsServiceId = event === 'accept' || event === 'apply';
  return {
    ...nothingTold,
    rowId,
    event,
    atMs: rowTimeMs,
    send: null,
    cause: null,
    error: null,
    httpStatus: null,
    requestId: null,
    attempts: 0,
    maybeSent: event === 'lose',
    nextAttemptAtMs: 0,
    ...(needsServiceId ? { serviceTransactionId: `txn_${rowId}` } : {}),
    ...part,
  };
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(): { readonly path: string; file(name: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tillbridge-store-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
