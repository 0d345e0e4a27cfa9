import type { OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { linkToOriginal, undo } from '../reversals/reversal-row.ts';
import { changeWithConsequences } from '../settlement/consequences.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';
import { settleEarlierCopies } from './earlier-copies.ts';
import { endEarlierReleases } from './earlier-releases.ts';

/** What an outcome of a write tells beside the change of its row. */
export interface Told {
  /** The service's answer; null when it is none to keep. */
  readonly answer: unknown;
  /** Somebody waits, and is told at once what became of the write. */
  readonly isCallerTold: boolean;
  /** False: what is answered may be another till's, made later under the same reference. */
  readonly isSurelyOwn: boolean;
}

/**
 * Writes down what became of a write for which somebody waited: the change, what was answered, and what follows from
 * both. Runs inside a transaction of the Writer.
 *
 * @returns the rows that have changed
 */
export function settleImmediate(
  stores: OperationStores & { readonly newRows: NewRows },
  rowId: number,
  outcome: OperationChange,
  { answer, isCallerTold, isSurelyOwn }: Told,
): readonly number[] {
  const { operations, rows } = stores;
  // The cashier has given the value to the customer: a write that was not sent is sent again, and not forgotten.
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
  // The caller heard that the original is reversed already. The sender makes that true.
  if (after === 'unknown' && change.error?.code === 'ALREADY_REVERSED') operations.watches.defer(rowId);
  // The caller was told at once, and nobody else counts on the write: no person has to decide about it.
  const isOver = delivery === 'immediate' && decision !== 'give_it';
  const isSpend = operation.intent === 'redeem' || operation.intent === 'commit';
  // A failed spend has deducted nothing. If the caller hears of it, or the customer paid in full, nobody owes anything.
  const isToldBefore = isCallerTold || decision === 'take_full_payment';
  const isFailedSpend = after === 'failed' && isSpend && isToldBefore;
  if (isOver && after === 'queued') operations.change({ ...change, event: 'cancel', send: null, maybeSent: false });
  else if (isOver && (after === 'refused' || isFailedSpend)) {
    // The service's books keep a failed write, so its reference is not free.
    operations.change({ ...change, event: 'dismiss', send: null, maybeSent: isFailedSpend });
  }
  // The customer has paid in full: the write is reversed. While the service still works on it, the reversal waits.
  if ((after === 'applied' || after === 'accepted') && decision === 'take_full_payment') {
    if (isSurelyOwn) touched.push(...undo(stores, operation));
    else operations.watches.setFound(rowId, 'stands');
  }
  return touched;
}
