import { z } from 'zod';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { callOfPath } from '../../line/call-of-path.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationOrigin } from '../../store/schema/operation-values.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { originalOf } from '../requests/named-original.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { reversalRefOf } from '../requests/reversal-reference.ts';
import type { NonEarnWrite } from '../requests/write.ts';
import { isReferenceFree, takeFreedReference } from '../settlement/freed-reference.ts';

/** Who lets another cashier's sale be undone: a manager by name; null on a till without managers. */
export interface Approval {
  readonly by: string | null;
}

export interface ReversalRequest {
  readonly origin: OperationOrigin;
  /** The name of the POS program's token; absent at the till's own screen. */
  readonly posName?: string;
  /** The cashier who takes the operation back. */
  readonly employeeRef?: string;
  /** The id of the reversal: unique per press or request. */
  readonly operationId: string;
  /** The caller's own reference for the reversal; null when it has none. */
  readonly reversalRef: string | null;
  readonly reason: string | null;
  /** A value that the service has to compare with the original's, where that is not known here. */
  readonly value?: { readonly amount_minor?: number | undefined; readonly points?: number | undefined };
  readonly idempotencyKey: string | null;
  readonly approval?: Approval;
}

const replayedReversal = z.object({ reverses_transaction_id: z.string() });

/** Whether a reversal takes this operation back. One that was passed on names its original by reference or by id. */
export function isReversalOf(stores: OperationStores, reversal: Operation, original: Operation): boolean {
  if (reversal.intent !== 'reverse') return false;
  if (reversal.reversesRowId !== null) return reversal.reversesRowId === original.rowId;
  const answered = replayedReversal.safeParse(reversal.answer);
  if (answered.success && original.serviceTransactionId !== null) {
    return answered.data.reverses_transaction_id === original.serviceTransactionId;
  }
  const sent = stores.rows.sent(reversal.rowId);
  if (sent === null) return false;
  const { transaction_id: id } = callOfPath(sent.path).params;
  if (id !== undefined) return id === original.serviceTransactionId;
  const named = originalOf(sent.body);
  return named?.external_ref === original.externalRef && named.intent === reversibleIntent(original);
}

/**
 * Links a reversal that was passed on, and that the service has taken, to its original, if that is ours: this till may
 * have come to know the original later. Inside a transaction of the Writer.
 *
 * @returns the original; null when it is not ours, or another reversal takes it back
 */
export function linkToOriginal(stores: OperationStores, reversal: Operation): Operation | null {
  if (reversal.intent !== 'reverse' || reversal.reversesRowId !== null) return null;
  if (reversal.state !== 'accepted' && reversal.state !== 'applied') return null;
  const original = originalAtService(stores, reversal);
  if (original === null || stores.rows.reversalOf(original.rowId) !== null) return null;
  stores.rows.linkReversal(reversal.rowId, original.rowId);
  return original;
}

/** Finds the original by the id in the service's answer. A record in the books tells no such id: then the request does. */
function originalAtService({ operations, rows }: OperationStores, reversal: Operation): Operation | null {
  const answered = replayedReversal.safeParse(reversal.answer);
  if (answered.success) return operations.operationByServiceTransactionId(answered.data.reverses_transaction_id);
  const sent = rows.sent(reversal.rowId);
  if (sent === null) return null;
  const { transaction_id: id } = callOfPath(sent.path).params;
  if (id !== undefined) return operations.operationByServiceTransactionId(id);
  const named = originalOf(sent.body);
  if (named === null) return null;
  // Under one key a reference and an intent have one transaction at the service: where ours is applied, it is that one.
  const standing = operations
    .operationsByReference(named.external_ref)
    .find((operation) => operation.state === 'applied' && reversibleIntent(operation) === named.intent);
  const isOfSameKey =
    standing !== undefined && rows.sent(standing.rowId)?.lastKeyFingerprint === sent.lastKeyFingerprint;
  return isOfSameKey ? standing : null;
}

/**
 * Makes a reference for a reversal when the caller has none. A reference is used up where its reversal has failed or was
 * written off, or takes back something else: then the next reference has a number.
 */
export function freshReversalRef(stores: OperationStores, original: Operation, intent: 'earn' | 'redeem'): string {
  for (let number = 1; ; number += 1) {
    const externalRef = reversalRefOf(
      intent,
      number === 1 ? original.externalRef : `${original.externalRef}-${number}`,
    );
    const kept = stores.operations.reversalByReference(externalRef);
    if (kept === null || isReferenceFree(stores.operations, kept)) return externalRef;
    const isUsedUp = kept.state === 'failed' || kept.state === 'written_off';
    if (!isUsedUp && isReversalOf(stores, kept, original)) return externalRef;
  }
}

export function reversalWrite(
  original: Operation,
  request: ReversalRequest & { readonly intent: 'earn' | 'redeem'; readonly reversalRef: string },
): NonEarnWrite {
  const { intent, reversalRef } = request;
  const reason = request.reason === null ? {} : { reason: request.reason };
  return {
    origin: request.origin,
    ...(request.posName === undefined ? {} : { posName: request.posName }),
    ...(request.employeeRef === undefined ? {} : { employeeRef: request.employeeRef }),
    operationId: request.operationId,
    intent: 'reverse',
    path: endpoints.reverse.path,
    body: { external_ref: original.externalRef, intent, reversal_ref: reversalRef, ...request.value, ...reason },
    externalRef: reversalRef,
    identifier: original.identifier === null ? null : { [original.identifier.kind]: original.identifier.value },
    customerName: original.customerName,
    idempotencyKey: request.idempotencyKey,
    reversesRowId: original.rowId,
  };
}

/** Saves a reversal that is sent when it can be, in a row of its own or in one that came to nothing. */
export function saveReversal(stores: OperationStores, row: NewOperation): Operation {
  const { operations } = stores;
  const existing = operations.insert(row);
  if (existing !== null && !takeFreedReference(stores, existing, row)) {
    throw new Error(`The reference ${row.externalRef} of a reversal is taken`);
  }
  const reversal = operations.operation(existing?.rowId ?? row.rowId);
  if (reversal === null) throw new Error('A reversal that was saved is not there');
  return reversal;
}

/**
 * Saves the reversal of an operation that has happened though somebody was told that it would not.
 *
 * @returns the row of the reversal; none when the operation has a reversal already, or can have none
 */
export function undo(
  stores: OperationStores & { readonly newRows: NewRows },
  original: Operation,
  reason = 'paid in full',
): readonly number[] {
  const { newRows } = stores;
  const intent = reversibleIntent(original);
  if (intent === null || isOneShot(original) || stores.rows.reversalOf(original.rowId) !== null) return [];
  const { origin, posName } = original;
  const reversalRef = freshReversalRef(stores, original, intent);
  const kept = stores.operations.reversalByReference(reversalRef);
  if (kept !== null && !isReferenceFree(stores.operations, kept)) {
    // A program passed on a reversal of this very operation, and may not ask again: the sender sees to it.
    stores.rows.linkReversal(kept.rowId, original.rowId);
    stores.operations.watches.defer(kept.rowId);
    return [kept.rowId];
  }
  const operationId = newRows.newOperationId();
  const request = { origin, ...(posName === null ? {} : { posName }), operationId, intent, reversalRef };
  const write = reversalWrite(original, { ...request, reason, idempotencyKey: null });
  return [saveReversal(stores, newRows.deferred(write)).rowId];
}

/** Claimed rewards and redeemed coupons have no reversal (spec "POST /transactions/reverse"). */
export function isOneShot(operation: Operation): boolean {
  if (operation.intent !== 'redeem') return false;
  const { amountMinor, points, stamps, visits } = operation;
  return amountMinor === null && points === null && stamps === null && visits === null;
}

/** The side of the receipt that an operation stands for; null for one that makes no reversible transaction. */
export function reversibleIntent(operation: Operation): 'earn' | 'redeem' | null {
  switch (operation.intent) {
    case 'earn':
      return 'earn';
    case 'redeem':
    case 'commit':
      return 'redeem';
    case 'reverse':
    case 'enroll':
    case 'verify':
    case 'reserve':
    case 'release':
      return null;
    default:
      return assertNever(operation.intent);
  }
}
