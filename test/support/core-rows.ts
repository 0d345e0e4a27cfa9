import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationChange } from '../../app/operations/delivery.ts';
import type { NewOperation } from '../../app/operations/new-operation.ts';
import { nothingTold } from '../../app/operations/settlement.ts';
import type { OperationEvent } from '../../shared/machines/operation.ts';

export const rowTimeMs = Date.parse('2026-11-20T18:13:00.000Z');

/** A row as the intake would save it. */
export function newRow(rowId: number, part: Partial<NewOperation> = {}): NewOperation {
  const external_ref = part.external_ref ?? `R-${rowId}`;
  return {
    row_id: rowId,
    operation_id: `00000000-0000-4000-8000-${String(rowId).padStart(12, '0')}`,
    intent: 'earn',
    delivery: 'deferred',
    origin: 'bridge',
    pos_name: null,
    given_name: null,
    state: 'queued',
    external_ref,
    identifier_kind: 'loyalty_id',
    identifier_value: `LC-${rowId}`,
    customer_name: null,
    card_id: null,
    amount_minor: 12_500,
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    occurred_at: rowTimeMs + rowId,
    occurred_at_from: 'till',
    business_date: '2026-11-20',
    till_time: rowTimeMs,
    monotonic_ms: 1.5,
    clock_skew_ms: null,
    path: '/transactions/earn',
    body: JSON.stringify({ external_ref }),
    idempotency_key: null,
    saved_at: rowTimeMs,
    reverses_row_id: null,
    replaces_row_id: null,
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
