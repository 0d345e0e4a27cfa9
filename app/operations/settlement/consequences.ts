import { cameToNothing, type OperationState } from '../../../shared/machines/operation.ts';
import type { ChangedInstant, OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { stepWithoutSend } from './settlement.ts';

/** What the history says of a sale that goes out once more by itself. */
const ownTimeReason = 'The service refused the time by its own Date header: sent once more with the time of this till';

/**
 * One step of an operation, and what follows from it for the one that takes it back, in the same transaction: an
 * applied reversal makes its original reversed, and a reversal that waits for an original which came to nothing is
 * dropped.
 *
 * @returns the rows that have changed; none when the step is not allowed
 */
export function changeWithConsequences(stores: OperationStores, change: OperationChange): readonly number[] {
  const { operations, rows } = stores;
  const changed = operations.change(change);
  if (changed === null) return [];
  const { state, reversesRowId } = changed;
  const rowIds = [change.rowId];
  if (reversesRowId !== null) {
    // Somebody else has reversed the original already, which is what was wanted.
    const wasReversedBefore = state === 'refused' && change.isOriginalReversed === true;
    if (state === 'applied' || wasReversedBefore) {
      const reversed = operations.change({ ...stepAfter(change, reversesRowId), event: 'reverse' });
      if (reversed !== null) rowIds.push(reversesRowId);
    }
    if (wasReversedBefore)
      operations.change({ ...stepAfter(change, change.rowId), event: 'dismiss', error: change.error });
    return rowIds;
  }
  if (!cameToNothing.has(state) && state !== 'reversed') return rowIds;
  const reversal = rows.reversalOf(change.rowId);
  if (reversal === null) {
    if (state === 'refused' && change.againAt !== undefined) sendAgainAt(stores, change, change.againAt);
    return rowIds;
  }
  // The reversal ends with its original's error: nothing was taken back.
  const error = state === 'refused' || state === 'failed' ? change.error : null;
  const dropped = operations.change({ ...stepAfter(change, reversal.rowId), event: 'cancel', error });
  if (dropped !== null) rowIds.push(reversal.rowId);
  closeTakenBack(stores, { ...stepAfter(change, change.rowId), error: change.error }, { state, by: reversal.posName });
  return rowIds;
}

/**
 * Closes an operation that was to be taken back and never happened: there is nothing left to decide. Nobody may send it
 * again, or another one in its place, because the customer has brought the goods back.
 *
 * @param takenBack.by the name of the POS program, which the history tells; null at the screen
 * @returns whether the operation waited for a person
 */
export function closeTakenBack(
  { operations, rows }: OperationStores,
  step: Omit<OperationChange, 'event'>,
  { state, by }: { readonly state: OperationState; readonly by: string | null },
): boolean {
  const event = state === 'refused' ? 'dismiss' : state === 'failed' ? 'write_off' : null;
  if (event === null || operations.change({ ...step, event }) === null) return false;
  const byWhom = by === null ? '' : ` by the program ${by}`;
  rows.annotate(step.rowId, { reason: `taken back${byWhom}, and it never happened`, person: null });
  return true;
}

/** Sends a refused sale once more with another time. The service holds nothing of it, so the reference stays the same. */
function sendAgainAt({ operations, rows }: OperationStores, change: OperationChange, instant: ChangedInstant): void {
  const { rowId } = change;
  const sent = rows.sent(rowId);
  // What was changed on the disk must not get our seal.
  if (sent === null || !operations.seals.isSealIntact(sent)) return;
  if (operations.change({ ...stepAfter(change, rowId), event: 'resend' }) === null) return;
  rows.changeInstant(rowId, instant);
  rows.annotate(rowId, { reason: ownTimeReason, person: null });
}

/** A step that follows from `change`, of its row or another: with no attempts, and with nothing that may be under way. */
function stepAfter({ atMs }: OperationChange, rowId: number): Omit<OperationChange, 'event'> {
  return stepWithoutSend({ rowId, attempts: 0, maybeSent: false }, atMs);
}
