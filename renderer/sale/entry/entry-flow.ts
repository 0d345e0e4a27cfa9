import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { Identifier } from '../../../shared/contract/identifier.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { foldDigits } from '../../../shared/money.ts';
import type { EarnInput, TillError, TillInput } from '../../../shared/till/api.ts';
import type { HoldView } from '../../../shared/till/hold-views.ts';
import { maxReceiptNumberLength } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { balanceAfter } from '../../operation/balances.ts';
import {
  type EarnValue,
  type EntryKind,
  type EntryProblem,
  entryKind,
  firstText,
  type KeypadKey,
  type Limits,
  noLimits,
  pressKey,
  readEntry,
  type SpendValue,
} from '../../operation/entry.ts';
import { isEarnOperation } from '../../operation/operations.ts';

/** Whom it is for. */
export interface EntryFor {
  /** Null for what is held or saved already: that itself is known. */
  readonly identifier: Identifier | null;
  readonly customerName: string | null;
  /** Null when the service is to pick the card, or when only the card's number is known. */
  readonly card: CardEntry | null;
  /** What to call the customer when there is no name: a masked phone or the card number as scanned. */
  readonly hint: string | null;
}

/** A question that stands between the act and the saving. */
export interface Question {
  readonly kind: 'large' | 'repeat';
  readonly value: EarnValue;
  /** False for the blink after it appears, so that the second half of a double press does not answer it. */
  readonly ready: boolean;
}

/** What a POS program has filled into an entry: as long as it stands there, the sale is the program's. */
interface Filled {
  readonly id: string;
  readonly text: string;
  readonly receipt: string;
}

/**
 * What else an entry is there for: to hold something for an order, to spend what is held once that is paid, or to send a
 * refused sale under another number.
 */
export type Aim =
  | { readonly kind: 'hold'; readonly minutes: number }
  | { readonly kind: 'paid'; readonly hold: HoldView }
  | { readonly kind: 'renumber'; readonly refused: OperationView; readonly reason: string };

/** The entry of one operation, from its opening to its end. */
export interface Entry {
  /** Made when it opens: whatever happens here becomes one operation at most. */
  readonly operationId: string;
  /** Of the entry itself: the same though another try is another operation, and for each hold or refused sale its own. */
  readonly entryId: string;
  readonly operation: CardOperation;
  readonly kind: EntryKind;
  readonly entryFor: EntryFor;
  /** Null: it is earned, spent or given now. */
  readonly aim: Aim | null;
  readonly text: string;
  /** The first digit replaces the field's text: it is the first one, or it is marked after a mistake. */
  readonly untouched: boolean;
  readonly receipt: string;
  /** The receipt's number is being entered: keys and scans are its own. */
  readonly isReceiptOpen: boolean;
  /** What a POS program has handed over for it; null: nothing. */
  readonly filled: Filled | null;
  readonly problem: EntryProblem | null;
  readonly receiptProblem: 'too_long' | 'taken' | null;
  readonly question: Question | null;
  /** The cashier has said yes to a large amount of this many minor units. */
  readonly lookedTwiceAt: number | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** A manager's PIN, where the agent has asked for one; else null. */
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
    text: firstText(kind),
    untouched: true,
    receipt: '',
    isReceiptOpen: false,
    filled: null,
    problem: null,
    receiptProblem: null,
    question: null,
    lookedTwiceAt: null,
    busy: false,
    failure: null,
    pin: null,
  };
}

/** What an entry is there for, as the screen's marks name it. */
export function workOf({ operation, aim }: Entry): CardOperation | Aim['kind'] {
  return aim === null ? operation : aim.kind;
}

/** The value stands; a number alone is entered. */
export function isFixed({ aim }: Entry): boolean {
  return aim !== null && aim.kind !== 'hold';
}

/** A manager's PIN has no more digits than these. */
export const mostPinDigits = 12;

/**
 * Nothing was typed into it, nothing is asked and nothing was sent: it can be left for another customer, and nobody's
 * work is lost.
 */
export function isBlank(entry: Entry): boolean {
  const { text, kind, untouched, receipt, filled, pin, busy, question, failure } = entry;
  const isFirstText = text === '' || isFixed(entry) || (untouched && text === (filled?.text ?? firstText(kind)));
  return (
    isFirstText && receipt === (filled?.receipt ?? '') && pin === null && !busy && question === null && failure === null
  );
}

/**
 * What was typed or pasted, Arabic digits as plain ones: the screen writes them back in the reader's own. A PIN that was
 * asked for was asked for another amount: it is gone.
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

/** A key for a finger: the amount's, or the PIN's as long as one is asked for. */
export function pressKeypad(entry: Entry, key: KeypadKey): Entry {
  const { pin } = entry;
  if (pin === null) return typeAmount(entry, pressKey(entry.text, key, entry.kind, entry.untouched));
  if (key === '.') return entry;
  return typePin(entry, key === 'erase' ? pin.slice(0, -1) : pin + key);
}

export function typePin(entry: Entry, pin: string): Entry {
  return { ...entry, pin: pin.slice(0, mostPinDigits), failure: null };
}

/** From the PIN that is asked for back to the amount. */
export function backToAmount(entry: Entry): Entry {
  return entry.pin === null ? entry : { ...entry, pin: null, failure: null };
}

export function typeReceipt(entry: Entry, receipt: string): Entry {
  return { ...entry, receipt, receiptProblem: null, failure: null };
}

/** Unfolds the receipt's number, or folds it again. */
export function turnToReceipt(entry: Entry, isReceiptOpen: boolean): Entry {
  return entry.isReceiptOpen === isReceiptOpen || entry.pin !== null || isFixed(entry)
    ? entry
    : { ...entry, isReceiptOpen, receiptProblem: null };
}

/**
 * Another operation of the same customer: the receipt's number stays, and the number where it fits. What a program has
 * handed over is remembered: back at its operation, it is that sale, and no second one.
 */
export function switchTo(opened: Entry, before: Entry): Entry {
  const { text, kind, receipt, filled } = before;
  if (isFixed(before) || isFixed(opened)) return opened;
  const isNumber = kind.unit !== 'reward' && kind.unit !== 'coupon';
  const fits = isNumber && text !== firstText(kind) && readEntry(text, opened.kind, noLimits).ok;
  const isTaken = fits && opened.kind.unit !== 'reward' && opened.kind.unit !== 'coupon';
  if (isTaken) return { ...opened, receipt, filled, text, untouched: false };
  return { ...opened, receipt, filled, ...(isForHandedOver(opened) && filled !== null ? { text: filled.text } : {}) };
}

/** The same operation again after it was left: what was typed stands there, and another number takes its place. */
export function reopen(opened: Entry, left: Entry): Entry {
  const { text, receipt, filled, failure, operationId, aim } = left;
  // Nobody knows what became of it: pressed again it is the same sale.
  const isLost = failure?.code === 'agent_gone';
  return { ...opened, aim, text, receipt, filled, ...(isLost ? { operationId } : {}) };
}

/** The operation that a handed-over amount is for. */
export function isForHandedOver({ operation }: Entry): boolean {
  return operation === 'earn_amount';
}

/** Both are entries of one operation, for one customer and one card. What has its own hold or sale is nobody else's work. */
export function isSameWork(left: Entry, right: Entry): boolean {
  const [one, other] = [left.entryFor, right.entryFor];
  return (
    !isFixed(right) &&
    left.operation === right.operation &&
    workOf(left) === workOf(right) &&
    one.card?.card_id === other.card?.card_id &&
    JSON.stringify(one.identifier) === JSON.stringify(other.identifier)
  );
}

/** Keys that were not its own are out of its field again: it is as it opened, if nothing else was typed. */
export function asOpened(entry: Entry): Entry {
  return entry.text === firstText(entry.kind) ? { ...entry, untouched: true } : entry;
}

export function typeCode(entry: Entry, code: string): Entry {
  return { ...entry, text: code, untouched: false, problem: null, failure: null };
}

export function chooseReward(entry: Entry, rewardId: string): Entry {
  return { ...entry, text: rewardId, problem: null, failure: null };
}

/** Back from a question to the amount. */
export function change(entry: Entry): Entry {
  return { ...markMistake(entry, null), question: null };
}

/** The amount is to be entered again: the next digit begins it, by keyboard and by finger alike. */
export function markMistake(entry: Entry, problem: EntryProblem | null): Entry {
  return { ...entry, problem, untouched: true };
}

export type Confirmed =
  | { readonly kind: 'stay'; readonly entry: Entry }
  | { readonly kind: 'earn'; readonly entry: Entry; readonly input: EarnInput }
  | { readonly kind: 'spend'; readonly entry: Entry; readonly input: TillInput<'operation.redeem'> }
  | { readonly kind: 'hold'; readonly entry: Entry; readonly input: TillInput<'hold.reserve'> }
  | { readonly kind: 'paid'; readonly entry: Entry; readonly input: TillInput<'hold.commit'> }
  | { readonly kind: 'renumber'; readonly entry: Entry; readonly input: TillInput<'attention.replace'> };

/** What the act does: shows a problem, asks, or sends. A second press while one is under way does nothing. */
export function confirm(entry: Entry, limits: Limits, earlierSpends: readonly OperationView[] = []): Confirmed {
  if (entry.busy || entry.question?.ready === false) return { kind: 'stay', entry };
  const isEarn = isEarnOperation(entry.operation);
  const read = readEntry(entry.text, entry.kind, isEarn ? limits : noLimits);
  const receipt = entry.receipt.trim();
  // The program's own reference may be longer: it is not sent by the screen.
  const isFilledReceipt = isForHandedOver(entry) && entry.filled !== null && receipt === entry.filled.receipt.trim();
  const receiptProblem = !isFilledReceipt && receipt.length > maxReceiptNumberLength ? 'too_long' : null;
  if (!read.ok) {
    return { kind: 'stay', entry: { ...markMistake(entry, read.problem), receiptProblem, question: null } };
  }
  if (exceedsCard(entry)) return { kind: 'stay', entry: { ...markMistake(entry, 'above_balance'), question: null } };
  if (receiptProblem !== null) {
    return { kind: 'stay', entry: { ...entry, receiptProblem, isReceiptOpen: true, question: null } };
  }

  const { value } = read;
  const { operationId: operation_id, aim } = entry;
  const busy = { ...entry, busy: true, failure: null, problem: null };
  if (aim?.kind === 'paid') {
    const orderPart = receipt === '' ? {} : { order_number: receipt };
    return { kind: 'paid', entry: busy, input: { operation_id, hold_id: aim.hold.hold_id, ...orderPart } };
  }
  if (aim?.kind === 'renumber') {
    const numberPart = receipt === '' ? {} : { receipt_number: receipt };
    const { refused, reason } = aim;
    return { kind: 'renumber', entry: busy, input: { operation_id: refused.operation_id, reason, ...numberPart } };
  }
  const { identifier } = entry.entryFor;
  if (identifier === null) return { kind: 'stay', entry };
  const receiptPart = receipt === '' || isFilledReceipt ? {} : { receipt_number: receipt };
  const { card } = entry.entryFor;
  // Another code than this card's names another card.
  const isOtherCoupon = 'coupon_code' in value && value.coupon_code !== card?.card_id;
  const cardPart = card === null || isOtherCoupon ? {} : { card_id: card.card_id };
  const press = {
    operation_id,
    identifier,
    customer_name: entry.entryFor.customerName,
    ...cardPart,
    ...(entry.pin === null || entry.pin === '' ? {} : { pin: foldDigits(entry.pin) }),
  };
  if (aim !== null && ('amount_minor' in value || 'points' in value)) {
    const cartPart = receipt === '' ? {} : { cart_number: receipt };
    return { kind: 'hold', entry: busy, input: { ...press, ...value, ttl_minutes: aim.minutes, ...cartPart } };
  }
  const common = { ...press, ...receiptPart };
  if (!isEarn || !isEarnValue(value)) {
    const isAgain = isEarnValue(value) && earlierSpends.some((earlier) => isSameSpend(earlier, entry, value));
    if (isAgain && isEarnValue(value) && entry.question?.kind !== 'repeat') {
      return { kind: 'stay', entry: { ...entry, question: { kind: 'repeat', value, ready: false }, failure: null } };
    }
    const given = givenName(value, card);
    return {
      kind: 'spend',
      entry: busy,
      input: { ...common, ...value, ...(given === null ? {} : { given_name: given }) },
    };
  }
  const minor = 'amount_minor' in value ? value.amount_minor : null;
  const saidYes = entry.question?.kind === 'large' || (minor !== null && entry.lookedTwiceAt === minor);
  if (read.needsSecondLook && !saidYes) {
    return { kind: 'stay', entry: { ...entry, question: { kind: 'large', value, ready: false }, failure: null } };
  }
  const input: EarnInput = {
    ...common,
    ...value,
    repeat: entry.question?.kind === 'repeat' ? 'accepted' : 'ask',
    ...(saidYes ? { large: 'accepted' } : {}),
    ...(entry.filled === null || !isForHandedOver(entry) ? {} : { handed_over_id: entry.filled.id }),
  };
  return { kind: 'earn', entry: { ...busy, lookedTwiceAt: saidYes ? minor : null }, input };
}

/** What a reward or a coupon is called; another coupon than this card's has no name but its code. */
export function givenName(value: SpendValue, card: CardEntry | null): string | null {
  if ('coupon_code' in value) {
    const name = value.coupon_code === card?.card_id ? card.template_name : value.coupon_code;
    return name === '' ? null : name;
  }
  if (!('reward' in value)) return null;
  return card?.available_rewards.find(({ reward_id }) => reward_id === value.reward_id)?.name ?? null;
}

/** The same card gave the same a moment ago; what came to nothing does not count. */
function isSameSpend(earlier: OperationView, entry: Entry, value: EarnValue): boolean {
  const { card } = entry.entryFor;
  if (earlier.operation_id === entry.operationId || card === null || earlier.card_id !== card.card_id) return false;
  const { amount_minor, points, stamps, visits } = earlier;
  const given = { amount_minor, points, stamps, visits };
  const wanted = { amount_minor: null, points: null, stamps: null, visits: null, ...value };
  return (['amount_minor', 'points', 'stamps', 'visits'] as const).every((field) => given[field] === wanted[field]);
}

function isEarnValue(value: SpendValue): value is EarnValue {
  return !('reward' in value) && !('coupon_code' in value);
}

/** What a sent earn was for. */
export function earnValueOf(input: EarnInput): EarnValue {
  if (input.points !== undefined) return { points: input.points };
  if (input.stamps !== undefined) return { stamps: input.stamps };
  if (input.visits !== undefined) return { visits: input.visits };
  return { amount_minor: input.amount_minor ?? 0, currency: input.currency ?? '' };
}

/** More is to be spent than the card holds, as far as is known here. */
export function exceedsCard(entry: Entry): boolean {
  if (isEarnOperation(entry.operation)) return false;
  const read = readEntry(entry.text, entry.kind, noLimits);
  const change = read.ok ? balanceAfter(entry.entryFor.card, read.value) : null;
  return change !== null && change.after.value < 0;
}
