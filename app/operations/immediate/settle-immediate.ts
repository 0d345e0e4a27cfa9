import type { OperationChange } from '../../store/rows/delivery.ts';
import type { ImmediateStore } from '../../store/tables/immediate-store.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { linkToOriginal, undo } from '../reversals/reversal-row.ts';
import { changeWithConsequences } from '../settlement/consequences.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';
import { settleEarlierCopies } from './earlier-copies.ts';
import { endEarlierReleases } from './earlier-releases.ts';

interface ImmediateStores {
  readonly store: OperationStore;
  readonly immediate: ImmediateStore;
  readonly newRows: NewRows;
}

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
  { store, immediate, newRows }: ImmediateStores,
  rowId: number,
  outcome: OperationChange,
  told: { readonly answer: unknown; readonly isWaitedFor: boolean; readonly isSurelyOwn: boolean },
): readonly number[] {
  const { answer, isWaitedFor, isSurelyOwn } = told;
  // The customer has been given it: what was not sent is sent again, and not forgotten.
  const isToBeSent = outcome.event === 'not_sent' && store.operation(rowId)?.decision === 'give_it';
  const change: OperationChange = isToBeSent ? { ...outcome, event: 'lose' } : outcome;
  const touched = [...changeWithConsequences({ store, immediate }, change)];
  const operation = store.operation(rowId);
  if (touched.length === 0 || operation === null) return touched;
  const { state: after, decision, delivery } = operation;
  if (answer !== null) immediate.setAnswer(rowId, answer);
  const original = linkToOriginal({ store, immediate }, store.operation(rowId) ?? operation);
  if (original !== null && after === 'applied') {
    store.change({ ...stepWithoutSend(original, change.atMs), event: 'reverse' });
    touched.push(original.rowId);
  }
  touched.push(...settleEarlierCopies({ store, immediate }, change, answer));
  touched.push(...endEarlierReleases({ store, immediate }, change, answer));
  // It was said to be reversed, and is to be: the sender sees to it.
  if (after === 'unknown' && change.error?.code === 'ALREADY_REVERSED') store.watches.defer(rowId);
  // Nobody has to decide about what the caller was told at once, and nobody else counts on.
  const isOver = delivery === 'immediate' && decision !== 'give_it';
  const isSpend = operation.intent === 'redeem' || operation.intent === 'commit';
  // Its caller hears of it at once, or the customer has paid in full: nothing was deducted, and nobody owes anything.
  const isToldBefore = isWaitedFor || decision === 'take_full_payment';
  const isFailedSpend = after === 'failed' && isSpend && isToldBefore;
  if (isOver && after === 'queued') store.change({ ...change, event: 'cancel', send: null, maybeSent: false });
  else if (isOver && (after === 'refused' || isFailedSpend)) {
    // What has failed stands in the service's books, so that its reference is not free.
    store.change({ ...change, event: 'dismiss', send: null, maybeSent: isFailedSpend });
  }
  // The reversal of one that the service still works on waits for its end.
  if ((after === 'applied' || after === 'accepted') && decision === 'take_full_payment') {
    if (isSurelyOwn) touched.push(...undo({ store, immediate, newRows }, operation));
    else store.watches.setFound(rowId, 'stands');
  }
  return touched;
}
