import type { TillError } from '../../../shared/till/api.ts';
import { limitNames } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { EarnValue } from '../../operation/entry.ts';
import { counts } from '../../operation/outcome.ts';
import { type Entry, exceedsCard, markMistake, type PassedLimit } from './entry-flow.ts';

/**
 * The entry after a refused redemption. When it is certain that nothing was spent, the next press is another operation.
 * When the answer was lost, the next press must send the same operation.
 */
export function afterSpendRefusal(entry: Entry, error: TillError, nextOperationId: string): Entry {
  const refused = takeRefusal(entry, null, error);
  return error.code === 'refused' || error.code === 'not_sent'
    ? { ...refused, operationId: nextOperationId, isUnanswered: false }
    : refused;
}

/**
 * The entry for its next press. When the answer to the press before was lost, and what it saved was undone, the next press
 * is another operation. A sale that was refused, or written off, stays the same one: it is corrected, or a corrected one
 * took its place, and a second sale beside it would be earned twice.
 *
 * @param saved what is known of the operation with the entry's id; null when nothing is known
 * @param isBeingUndone whether its reversal is on its way
 */
export function forNextPress(
  entry: Entry,
  saved: OperationView | null,
  { isBeingUndone, newId }: { readonly isBeingUndone: boolean; readonly newId: () => string },
): Entry {
  if (!entry.isUnanswered || entry.busy || saved === null) return entry;
  const { intent, state } = saved;
  const isUndone = isBeingUndone || state === 'cancelled' || state === 'reversed';
  // A redemption or hold that came to nothing is not corrected: the next one is new.
  const isOver = intent !== 'earn' && !counts(state);
  return isUndone || isOver ? { ...entry, operationId: newId(), isUnanswered: false } : entry;
}

/** Whether the agent asks for a manager's PIN. */
export function asksForPin({ code }: TillError): boolean {
  return code === 'pin_needed' || code === 'pin_wrong' || code === 'pin_locked';
}

/** Whether the program has withdrawn what it handed over, or the amount was used already. */
export function isHandedOverGone({ code, field }: TillError): boolean {
  return code === 'not_now' && field === 'handed_over_id';
}

/** The entry after any answer but "saved". It stays open, and shows the reason where it belongs. */
export function takeRefusal(entry: Entry, value: EarnValue | null, error: TillError): Entry {
  const isUnanswered = entry.isUnanswered || error.code === 'agent_gone';
  const idle = { ...markMistake(entry, null), busy: false, question: null, isUnanswered };
  if (error.code === 'looks_like_a_repeat' && value !== null)
    return { ...idle, question: { kind: 'repeat', value, ready: false } };
  if (error.code === 'looks_large' && value !== null)
    return { ...idle, question: { kind: 'large', value, ready: false } };
  // A manager cannot allow more than the card holds, so no PIN is asked for.
  if (asksForPin(error) && exceedsCard(entry)) return { ...idle, pin: null, problem: 'above_balance' };
  if (asksForPin(error)) return { ...idle, untouched: false, isReceiptOpen: false, failure: error, pin: '' };
  if (error.code === 'above_limit') return { ...idle, problem: 'above_limit', passedLimit: passedLimitOf(error) };
  // The program withdrew its amount. A cashier who still wants the sale types the amount. The agent says so only when it
  // has saved nothing under this operation id.
  if (isHandedOverGone(error)) {
    return { ...idle, text: '', receipt: '', filled: null, failure: error, isUnanswered: false };
  }
  if (error.code === 'reference_taken') return { ...idle, receiptProblem: 'taken', isReceiptOpen: true };
  return { ...idle, failure: error };
}

/** The limit that the agent's answer names; null when it names none that an entry can pass. */
export function passedLimitOf({ details = [] }: TillError): PassedLimit | null {
  const [value, named] = details;
  const name = limitNames.find((known) => known === named);
  return name === undefined || typeof value !== 'number' ? null : { name, value };
}
