import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { Identifier } from '../../../shared/contract/identifier.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { foldDigits } from '../../../shared/lib/digits.ts';
import type { TillError } from '../../../shared/till/api.ts';
import type { HoldView } from '../../../shared/till/hold-views.ts';
import { type LimitName, maxPinLength } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { balanceAfter } from '../../operation/balances.ts';
import {
  type EarnValue,
  type EntryKind,
  type EntryProblem,
  entryKind,
  firstText,
  type KeypadKey,
  noLimits,
  pressKey,
  readEntry,
} from '../../operation/entry.ts';
import { isEarnOperation } from '../../operation/operations.ts';

/** The customer and the card of an entry. */
export interface EntryFor {
  /** Null for a hold or a saved sale, which names its own customer. */
  readonly identifier: Identifier | null;
  readonly customerName: string | null;
  /** Null when the service is to pick the card, or when only the card's number is known. */
  readonly card: CardEntry | null;
  /** What to call the customer when there is no name: a masked phone or the card number as scanned. */
  readonly hint: string | null;
}

/** A limit that only a manager may pass. */
export interface PassedLimit {
  readonly name: LimitName;
  /** In the limit's unit; money in minor units. */
  readonly value: number;
}

/** A question that the cashier answers before the operation is saved. */
export interface Question {
  readonly kind: 'large' | 'repeat';
  readonly value: EarnValue;
  /** False right after the question appears, so that the second press of a double press does not answer it. */
  readonly ready: boolean;
}

/** What a POS program has filled into an entry. The sale is the program's, even when the cashier changes the amount. */
interface Filled {
  readonly id: string;
  readonly text: string;
  readonly receipt: string;
}

/**
 * What an entry does when it does not earn, spend or give now. It holds something for an order, spends a hold because
 * the order is paid, or sends a refused sale under another number.
 */
export type Aim =
  | { readonly kind: 'hold'; readonly minutes: number }
  | { readonly kind: 'paid'; readonly hold: HoldView }
  | { readonly kind: 'renumber'; readonly refused: OperationView; readonly reason: string };

/** The entry of one operation, from its opening to its end. */
export interface Entry {
  /** Made when the entry opens, so that repeated presses make one operation at most. */
  readonly operationId: string;
  /**
   * Names the entry itself. It stays the same when a new try gets another operation id. Each paid order and each
   * refused sale has its own.
   */
  readonly entryId: string;
  readonly operation: CardOperation;
  readonly kind: EntryKind;
  readonly entryFor: EntryFor;
  /** Null: the entry earns, spends or gives now. */
  readonly aim: Aim | null;
  /** Nobody has pressed for it: a card that was read, or an amount that was handed over, has opened it. */
  readonly isByItself: boolean;
  readonly text: string;
  /** The next digit replaces the text, because nothing was typed yet or the text is marked after a mistake. */
  readonly untouched: boolean;
  readonly receipt: string;
  /** The field of the receipt's number is open: keys and scans go into it. */
  readonly isReceiptOpen: boolean;
  /** What a POS program has handed over for this entry; null: nothing. */
  readonly filled: Filled | null;
  readonly problem: EntryProblem | null;
  /** The limit that the agent named with `above_limit`; null: the limit of one sale. */
  readonly passedLimit: PassedLimit | null;
  readonly receiptProblem: 'too_long' | 'taken' | null;
  readonly question: Question | null;
  /** The large amount that the cashier has confirmed, in minor units; null: none. */
  readonly lookedTwiceAt: number | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** The answer to a press was lost: what was sent under this operation id may be done. */
  readonly isUnanswered: boolean;
  /** What was typed as a manager's PIN; null when the agent has not asked for a PIN. */
  readonly pin: string | null;
}

export function openEntry(
  operationId: string,
  operation: CardOperation,
  entryFor: EntryFor,
  currency: string,
  aim: Aim | null = null,
): Entry {
  const kind = entryKind(operation, currency, entryFor.card);
  return {
    operationId,
    entryId: operationId,
    operation,
    kind,
    entryFor,
    aim,
    isByItself: false,
    text: firstText(kind),
    untouched: true,
    receipt: '',
    isReceiptOpen: false,
    filled: null,
    problem: null,
    passedLimit: null,
    receiptProblem: null,
    question: null,
    lookedTwiceAt: null,
    busy: false,
    failure: null,
    isUnanswered: false,
    pin: null,
  };
}

/** What the entry does: its aim, or its operation when it has no aim. */
export function workOf({ operation, aim }: Entry): CardOperation | Aim['kind'] {
  return aim === null ? operation : aim.kind;
}

/** Whether the value cannot be changed, so that the cashier enters only a receipt's or order's number. */
export function isFixed({ aim }: Entry): boolean {
  return aim !== null && aim.kind !== 'hold';
}

/** Whether something was asked or sent, so that the entry waits for an answer or has one. */
export function isAsked({ pin, busy, question, failure, isUnanswered }: Entry): boolean {
  return pin !== null || busy || question !== null || failure !== null || isUnanswered;
}

/** Whether nothing was typed, asked or sent. Such an entry can be left for another customer, and no work is lost. */
export function isBlank(entry: Entry): boolean {
  const { text, kind, untouched, receipt, filled } = entry;
  const isFirstText = text === '' || isFixed(entry) || (untouched && text === (filled?.text ?? firstText(kind)));
  return isFirstText && receipt === (filled?.receipt ?? '') && !isAsked(entry);
}

/**
 * Takes what was typed or pasted. Arabic digits become plain ones, and the screen shows them in the reader's own
 * digits. A PIN is forgotten, because it was asked for another amount.
 */
export function typeAmount(entry: Entry, text: string): Entry {
  return {
    ...entry,
    text: foldDigits(text),
    untouched: false,
    problem: null,
    question: null,
    failure: null,
    pin: null,
  };
}

/** Takes a touch key. The key goes to the PIN while one is asked for, else to the amount. */
export function pressKeypad(entry: Entry, key: KeypadKey): Entry {
  const { pin } = entry;
  if (pin === null) return typeAmount(entry, pressKey(entry.text, key, entry.kind, entry.untouched));
  if (key === '.') return entry;
  return typePin(entry, key === 'erase' ? pin.slice(0, -1) : pin + key);
}

export function typePin(entry: Entry, pin: string): Entry {
  return { ...entry, pin: pin.slice(0, maxPinLength), failure: null };
}

/** Goes back from the PIN to the amount. */
export function backToAmount(entry: Entry): Entry {
  return entry.pin === null ? entry : { ...entry, pin: null, failure: null };
}

export function typeReceipt(entry: Entry, receipt: string): Entry {
  return { ...entry, receipt, receiptProblem: null, failure: null };
}

/** Opens or closes the field of the receipt's number. */
export function turnToReceipt(entry: Entry, isReceiptOpen: boolean): Entry {
  return entry.isReceiptOpen === isReceiptOpen || entry.pin !== null || isFixed(entry)
    ? entry
    : { ...entry, isReceiptOpen, receiptProblem: null };
}

/** Whether the entry earns for an amount, as a handed-over amount does. */
export function isForHandedOver({ operation }: Entry): boolean {
  return operation === 'earn_amount';
}

/** The entry after a scan's keys were taken out of it. It is untouched again, unless something else was typed. */
export function asOpened(entry: Entry): Entry {
  return entry.text === firstText(entry.kind) ? { ...entry, untouched: true } : entry;
}

export function typeCode(entry: Entry, code: string): Entry {
  return { ...entry, text: code, untouched: false, problem: null, failure: null };
}

export function chooseReward(entry: Entry, rewardId: string): Entry {
  return { ...entry, text: rewardId, problem: null, failure: null };
}

/** The entry with its card as the service has told it since. While the entry is being sent its card stays. */
export function withCard(entry: Entry, card: CardEntry): Entry {
  const { entryFor, busy, problem } = entry;
  if (busy || entryFor.card === card || entryFor.card?.card_id !== card.card_id) return entry;
  const now = { ...entry, entryFor: { ...entryFor, card } };
  return problem === 'above_balance' && !exceedsCard(now) ? { ...now, problem: null } : now;
}

/** Goes back from a question to the amount. */
export function change(entry: Entry): Entry {
  return { ...markMistake(entry, null), question: null };
}

/** Marks the amount to be entered again. The next digit replaces it, from the keyboard and from the touch keys. */
export function markMistake(entry: Entry, problem: EntryProblem | null): Entry {
  return { ...entry, problem, passedLimit: null, untouched: true };
}

/** Whether more is to be spent than the card holds, as far as this till knows. */
export function exceedsCard(entry: Entry): boolean {
  if (isEarnOperation(entry.operation)) return false;
  const read = readEntry(entry.text, entry.kind, noLimits);
  const change = read.ok ? balanceAfter(entry.entryFor.card, read.value) : null;
  return change !== null && change.after.value < 0;
}
