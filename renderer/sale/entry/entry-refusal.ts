import type { TillError } from '../../../shared/till/api.ts';
import type { EarnValue } from '../../operation/entry.ts';
import { type Entry, exceedsCard, markMistake } from './entry-flow.ts';

/**
 * A redemption that was proven not to be done: what is confirmed next in the same place is another one. Where the answer
 * is lost it stays the same.
 */
export function afterSpendRefusal(entry: Entry, error: TillError, nextOperationId: string): Entry {
  const refused = takeRefusal(entry, null, error);
  return error.code === 'refused' || error.code === 'not_sent' ? { ...refused, operationId: nextOperationId } : refused;
}

/** The agent wants a manager for it: the PIN is entered in the same place. */
export function asksForPin({ code }: TillError): boolean {
  return code === 'pin_needed' || code === 'pin_wrong' || code === 'pin_locked';
}

/** The program has withdrawn what it had handed over, or it was taken. */
export function isHandedOverGone({ code, field }: TillError): boolean {
  return code === 'not_now' && field === 'handed_over_id';
}

/** What an answer other than "saved" does to the entry: it stays open, with the reason where it belongs. */
export function takeRefusal(entry: Entry, value: EarnValue | null, error: TillError): Entry {
  const idle = { ...markMistake(entry, null), busy: false, question: null };
  if (error.code === 'looks_like_a_repeat' && value !== null)
    return { ...idle, question: { kind: 'repeat', value, ready: false } };
  if (error.code === 'looks_large' && value !== null)
    return { ...idle, question: { kind: 'large', value, ready: false } };
  // No manager can spend what the card does not hold.
  if (asksForPin(error) && exceedsCard(entry)) return { ...idle, pin: null, problem: 'above_balance' };
  if (asksForPin(error)) return { ...idle, untouched: false, isReceiptOpen: false, failure: error, pin: '' };
  if (error.code === 'above_limit') return { ...idle, problem: 'above_limit' };
  // The program took its amount back. A cashier who sells it all the same types the amount.
  if (isHandedOverGone(error)) return { ...idle, text: '', receipt: '', filled: null, failure: error };
  if (error.code === 'reference_taken') return { ...idle, receiptProblem: 'taken', isReceiptOpen: true };
  return { ...idle, failure: error };
}
