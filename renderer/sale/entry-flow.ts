import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { foldDigits } from '../../shared/money.ts';
import type { EarnInput, TillError } from '../../shared/till/api.ts';
import { maxReceiptNumberLength } from '../../shared/till/limits.ts';
import {
  type EarnValue,
  type EntryKind,
  type EntryProblem,
  entryKind,
  firstText,
  type KeypadKey,
  type Limits,
  pressKey,
  readEntry,
} from './entry.ts';
import type { EarnOperation } from './operations.ts';

/** Whom an earn is for. */
export interface EarnFor {
  readonly identifier: Identifier;
  readonly customerName: string | null;
  /** Null when the service is to pick the card, or when only the card's number is known. */
  readonly card: CardEntry | null;
  /** What to call the customer when there is no name: a masked phone or the card number as scanned. */
  readonly hint: string | null;
}

/** A question that stands between Confirm and the saving. */
export interface Question {
  readonly kind: 'large' | 'repeat';
  readonly value: EarnValue;
  /** False for the blink after it appears, so that the second half of a double press does not answer it. */
  readonly ready: boolean;
}

/** One earn dialog, from its opening to its end. */
export interface Entry {
  /** Made when the dialog opens: whatever happens here becomes one operation at most. */
  readonly operationId: string;
  readonly operation: EarnOperation;
  readonly kind: EntryKind;
  readonly earnFor: EarnFor;
  readonly text: string;
  /** The field still holds its first text, which the first digit replaces. */
  readonly untouched: boolean;
  readonly receipt: string;
  readonly problem: EntryProblem | null;
  readonly receiptProblem: 'too_long' | 'taken' | null;
  readonly question: Question | null;
  /** The cashier has said yes to a large amount of this many minor units. */
  readonly lookedTwiceAt: number | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

export function openEntry(operationId: string, operation: EarnOperation, earnFor: EarnFor, currency: string): Entry {
  const kind = entryKind(operation, currency);
  return {
    operationId,
    operation,
    kind,
    earnFor,
    text: firstText(kind),
    untouched: true,
    receipt: '',
    problem: null,
    receiptProblem: null,
    question: null,
    lookedTwiceAt: null,
    busy: false,
    failure: null,
  };
}

/** What was typed or pasted, Arabic digits as plain ones: the screen writes them back in the reader's own. */
export function typeAmount(entry: Entry, text: string): Entry {
  return { ...entry, text: foldDigits(text), untouched: false, problem: null, question: null, failure: null };
}

export function pressKeypad(entry: Entry, key: KeypadKey): Entry {
  return typeAmount(entry, pressKey(entry.text, key, entry.kind, entry.untouched));
}

export function typeReceipt(entry: Entry, receipt: string): Entry {
  return { ...entry, receipt, receiptProblem: null, failure: null };
}

/** Back from a question to the amount. */
export function change(entry: Entry): Entry {
  return { ...entry, question: null };
}

export type Confirmed =
  | { readonly kind: 'stay'; readonly entry: Entry }
  | { readonly kind: 'send'; readonly entry: Entry; readonly input: EarnInput };

/** What Confirm does: shows a problem, asks, or sends. A second press while one is under way does nothing. */
export function confirm(entry: Entry, limits: Limits): Confirmed {
  if (entry.busy || entry.question?.ready === false) return { kind: 'stay', entry };
  const read = readEntry(entry.text, entry.kind, limits);
  const receipt = entry.receipt.trim();
  const receiptProblem = receipt.length > maxReceiptNumberLength ? 'too_long' : null;
  if (!read.ok) return { kind: 'stay', entry: { ...entry, problem: read.problem, receiptProblem, question: null } };
  if (receiptProblem !== null) return { kind: 'stay', entry: { ...entry, receiptProblem, question: null } };

  const { value } = read;
  const minor = 'amount_minor' in value ? value.amount_minor : null;
  const saidYes = entry.question?.kind === 'large' || (minor !== null && entry.lookedTwiceAt === minor);
  if (read.needsSecondLook && !saidYes) {
    return { kind: 'stay', entry: { ...entry, question: { kind: 'large', value, ready: false }, failure: null } };
  }
  const receiptPart: Pick<EarnInput, 'receipt_number'> = receipt === '' ? {} : { receipt_number: receipt };
  const input: EarnInput = {
    operation_id: entry.operationId,
    identifier: entry.earnFor.identifier,
    customer_name: entry.earnFor.customerName,
    ...(entry.earnFor.card === null ? {} : { card_id: entry.earnFor.card.card_id }),
    ...value,
    ...receiptPart,
    repeat: entry.question?.kind === 'repeat' ? 'accepted' : 'ask',
  };
  const sent = {
    ...entry,
    busy: true,
    failure: null,
    problem: null,
    lookedTwiceAt: read.needsSecondLook ? minor : null,
  };
  return { kind: 'send', entry: sent, input };
}

/** What an answer other than "saved" does to the dialog: it stays open, with the reason where it belongs. */
export function takeRefusal(entry: Entry, value: EarnValue, error: TillError): Entry {
  const idle = { ...entry, busy: false, question: null };
  if (error.code === 'looks_like_a_repeat') return { ...idle, question: { kind: 'repeat', value, ready: false } };
  if (error.code === 'above_limit') return { ...idle, problem: 'above_limit' };
  if (error.code === 'reference_taken') return { ...idle, receiptProblem: 'taken' };
  return { ...idle, failure: error };
}
