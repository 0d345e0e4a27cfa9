import type { OperationState } from '../../shared/machines/operation.ts';
import type { OperationChange } from '../store/delivery.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';

/** States in which the service holds nothing of an operation that a reversal could take back, and never did. */
export const cameToNothing: ReadonlySet<OperationState> = new Set(['refused', 'failed', 'cancelled', 'written_off']);

/**
 * One step of an operation, and what follows from it for the one that takes it back, in the same transaction: an
 * applied reversal makes its original reversed, and a reversal that waits for an original which came to nothing is
 * dropped.
 *
 * @returns the rows that have changed; none when the step is not allowed
 */
export function changeWithConsequences(
  stores: { readonly store: OperationStore; readonly immediate: ImmediateStore },
  change: OperationChange,
): readonly number[] {
  const { store, immediate } = stores;
  const changed = store.change(change);
  if (changed === null) return [];
  const { state, reversesRowId } = changed;
  const rowIds = [change.rowId];
  if (reversesRowId !== null) {
    // Somebody else has taken it back already: that is what was wanted.
    const wasReversedBefore = state === 'refused' && change.isOriginalReversed === true;
    if (state === 'applied' || wasReversedBefore)
      rowIds.push(...follow(store, change, { rowId: reversesRowId, event: 'reverse' }));
    if (wasReversedBefore) store.change({ ...stepOf(change, change.rowId), event: 'dismiss', error: change.error });
    return rowIds;
  }
  if (!cameToNothing.has(state) && state !== 'reversed') return rowIds;
  const reversal = immediate.reversalOf(change.rowId);
  if (reversal === null) return rowIds;
  // With its original's reason: nothing was taken back.
  const error = state === 'refused' || state === 'failed' ? change.error : null;
  const dropped = store.change({ ...stepOf(change, reversal.rowId), event: 'cancel', error });
  if (dropped !== null) rowIds.push(reversal.rowId);
  // It was to be taken back, and it never happened: there is nothing left to decide.
  if (state === 'refused') store.change({ ...stepOf(change, change.rowId), event: 'dismiss', error: change.error });
  return rowIds;
}

function follow(
  store: OperationStore,
  change: OperationChange,
  next: Pick<OperationChange, 'rowId' | 'event'>,
): readonly number[] {
  return store.change({ ...stepOf(change, next.rowId), event: next.event }) === null ? [] : [next.rowId];
}

/** A step of another row, by which nothing but its state is changed. */
function stepOf(change: OperationChange, rowId: number): OperationChange {
  return {
    rowId,
    event: change.event,
    atMs: change.atMs,
    send: null,
    cause: null,
    error: null,
    httpStatus: null,
    requestId: null,
    attempts: 0,
    maybeSent: false,
    nextAttemptAtMs: 0,
    serviceTransactionId: null,
    serviceCustomerId: null,
    serviceCardId: null,
    newBalances: null,
    completedAtMs: null,
  };
}
