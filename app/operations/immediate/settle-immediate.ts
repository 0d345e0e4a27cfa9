import type { OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { linkToOriginal, undo } from '../reversals/reversal-row.ts';
import { changeWithConsequences } from '../settlement/consequences.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';
import { settleEarlierCopies } from './earlier-copies.ts';
import { endEarlierReleases } from './earlier-releases.ts';

/**
 * Writes down what became of a write for which somebody waited: the change, what was answered, and what follows from
 * both. Runs inside a transaction of the Writer.
 *
 * @param told.answer the service's; null when it is none to keep
 * @param told.isWaitedFor somebody waits, and is told at once what became of it
 * @param told.isSurelyOwn false: what is answered may be another till's, made later under the same reference
 * @returns the rows that have changed
 */
export function settleImmediate(
  stores: OperationStores & { readonly newRows: NewRows },
  rowId: number,
  outcome: OperationChange,
  told: { readonly answer: unknown; readonly isWaitedFor: boolean; readonly isSurelyOwn: boolean },
): readonly number[] {
  const { operations, rows } = stores;
  const { answer, isWaitedFor, isSurelyOwn } = told;
  // The customer has been given it: what was not sent is sent again, and not forgotten.
  const isToBeSent = outcome.event === 'not_sent' && operations.operation(rowId)?.decision === 'give_it';
  const change: OperationChange = isToBeSent ? { ...outcome, event: 'lose' } : outcome;
  const touched = [...changeWithConsequences(stores, change)];
  const operation = operations.operation(rowId);
  if (touched.length === 0 || operation === null) return touched;
  const { state: after, decision, delivery } = operation;
  if (answer !== null) rows.setAnswer(rowId, answer);
  const original = linkToOriginal(stores, operations.operation(rowId) ?? operation);
  if (original !== null && after === 'applied') {
    operations.change({ ...stepWithoutSend(original, change.atMs), event: 'reverse' });
    touched.push(original.rowId);
  }
  touched.push(...settleEarlierCopies(stores, change, answer));
  touched.push(...endEarlierReleases(stores, change, answer));
  // It was said to be reversed, and is to be: the sender sees to it.
  if (after === 'unknown' && change.error?.code === 'ALREADY_REVERSED') operations.watches.defer(rowId);
  // Nobody has to decide about what the caller was told at once, and nobody else counts on.
  const isOver = delivery === 'immediate' && decision !== 'give_it';
  const isSpend = operation.intent === 'redeem' || operation.intent === 'commit';
  // Its caller hears of it at once, or the customer has paid in full: nothing was deducted, and nobody owes anything.
  const isToldBefore = isWaitedFor || decision === 'take_full_payment';
  const isFailedSpend = after === 'failed' && isSpend && isToldBefore;
  if (isOver && after === 'queued') operations.change({ ...change, event: 'cancel', send: null, maybeSent: false });
  else if (isOver && (after === 'refused' || isFailedSpend)) {
    // What has failed stands in the service's books, so that its reference is not free.
    operations.change({ ...change, event: 'dismiss', send: null, maybeSent: isFailedSpend });
  }
  // The reversal of one that the service still works on waits for its end.
  if ((after === 'applied' || after === 'accepted') && decision === 'take_full_payment') {
    if (isSurelyOwn) touched.push(...undo(stores, operation));
    else operations.watches.setFound(rowId, 'stands');
  }
  return touched;
}
