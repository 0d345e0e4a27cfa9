import type { Identifier } from '../../../shared/contract/identifier.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { foldDigits, plainText } from '../../../shared/lib/digits.ts';
import type { EarnInput, TillInput } from '../../../shared/till/api.ts';
import { maxReceiptNumberLength } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { type EarnValue, hasValue, type Limits, noLimits, readEntry, type SpendValue } from '../../operation/entry.ts';
import { isEarnOperation } from '../../operation/operations.ts';
import { type Aim, type Entry, exceedsCard, isForHandedOver, markMistake, type Question } from './entry-flow.ts';

export type Confirmed =
  | { readonly kind: 'stay'; readonly entry: Entry }
  | { readonly kind: 'earn'; readonly entry: Entry; readonly input: EarnInput; readonly value: EarnValue }
  | { readonly kind: 'spend'; readonly entry: Entry; readonly input: TillInput<'operation.redeem'> }
  | { readonly kind: 'hold'; readonly entry: Entry; readonly input: TillInput<'hold.reserve'> }
  | { readonly kind: 'paid'; readonly entry: Entry; readonly input: TillInput<'hold.commit'> }
  | { readonly kind: 'renumber'; readonly entry: Entry; readonly input: TillInput<'attention.replace'> };

type Stay = Extract<Confirmed, { readonly kind: 'stay' }>;
type AimOf<Kind extends Aim['kind']> = Extract<Aim, { readonly kind: Kind }>;
type HeldValue = Extract<EarnValue, { readonly amount_minor: number } | { readonly points: number }>;

/** An entry in which nothing is missing or wrong. */
interface Ready {
  readonly kind: 'ready';
  readonly entry: Entry;
  readonly value: SpendValue;
  /** The receipt's or order's number to send; empty: none. */
  readonly number: string;
  /** The amount is large, so the cashier is asked before it is sent. */
  readonly needsSecondLook: boolean;
}

/** What is said of the customer and the card, whatever is asked for. */
interface Press {
  readonly operation_id: string;
  readonly identifier: Identifier;
  readonly customer_name: string | null;
  readonly card_id?: string;
  readonly pin?: string;
}

/**
 * What a press of the entry's button does: it shows a problem, asks a question, or sends. It does nothing while the
 * entry is being sent, or while its question is too new to be read.
 */
export function confirmEntry(entry: Entry, limits: Limits, earlierSpends: readonly OperationView[] = []): Confirmed {
  if (entry.busy || entry.question?.ready === false) return stay(entry);
  const ready = readyToSend(entry, limits);
  if (ready.kind === 'stay') return ready;
  const { aim } = entry;
  if (aim?.kind === 'paid') return paidOf(ready, aim);
  if (aim?.kind === 'renumber') return renumberOf(ready, aim);
  const press = pressOf(ready);
  if (press === null) return stay(entry);
  const { value } = ready;
  if (aim !== null && ('amount_minor' in value || 'points' in value)) return holdOf(ready, press, value, aim);
  const isEarn = isEarnOperation(entry.operation) && isEarnValue(value);
  return isEarn ? earnOf(ready, press, value) : spendOf(ready, press, earlierSpends);
}

/** The entry with everything that a request needs, or marked with what is missing. */
function readyToSend(entry: Entry, limits: Limits): Ready | Stay {
  const read = readEntry(entry.text, entry.kind, isEarnOperation(entry.operation) ? limits : noLimits);
  const number = numberToSend(entry);
  const receiptProblem = number.length > maxReceiptNumberLength ? 'too_long' : null;
  if (!read.ok) {
    // On a low screen the letters hide the rewards to choose from.
    const isReceiptOpen = entry.isReceiptOpen && read.problem !== 'choose_reward';
    return stay({ ...markMistake(entry, read.problem), receiptProblem, isReceiptOpen, question: null });
  }
  if (exceedsCard(entry)) return stay({ ...markMistake(entry, 'above_balance'), question: null });
  if (receiptProblem !== null) return stay({ ...entry, receiptProblem, isReceiptOpen: true, question: null });
  return { ...read, kind: 'ready', entry, number };
}

/**
 * The reference that a program has handed over is not the screen's to send. It may be longer than a receipt's number, too.
 */
function numberToSend(entry: Entry): string {
  const number = plainText(entry.receipt);
  const isFilled = isForHandedOver(entry) && entry.filled !== null && number === plainText(entry.filled.receipt);
  return isFilled ? '' : number;
}

function stay(entry: Entry): Stay {
  return { kind: 'stay', entry };
}

function ask(kind: Question['kind'], entry: Entry, value: EarnValue): Stay {
  return stay({ ...entry, question: { kind, value, ready: false }, failure: null });
}

function sending(entry: Entry): Entry {
  return { ...entry, busy: true, failure: null, problem: null };
}

function paidOf({ entry, number }: Ready, { hold }: AimOf<'paid'>): Confirmed {
  const numberPart = number === '' ? {} : { order_number: number };
  const input = { operation_id: entry.operationId, hold_id: hold.hold_id, ...numberPart };
  return { kind: 'paid', entry: sending(entry), input };
}

function renumberOf({ entry, number }: Ready, { refused, reason }: AimOf<'renumber'>): Confirmed {
  const input = { operation_id: refused.operation_id, reason, ...receiptPart(number) };
  return { kind: 'renumber', entry: sending(entry), input };
}

/** Null when the entry names no customer. */
function pressOf({ entry, value }: Ready): Press | null {
  const { operationId: operation_id, entryFor, pin } = entry;
  const { identifier, customerName: customer_name, card } = entryFor;
  if (identifier === null) return null;
  // Any code but this card's own belongs to another card, so the card is left out.
  const isOtherCoupon = 'coupon_code' in value && value.coupon_code !== card?.card_id;
  const cardPart = card === null || isOtherCoupon ? {} : { card_id: card.card_id };
  const pinPart = pin === null || pin === '' ? {} : { pin: foldDigits(pin) };
  return { operation_id, identifier, customer_name, ...cardPart, ...pinPart };
}

function holdOf({ entry, number }: Ready, press: Press, value: HeldValue, { minutes }: AimOf<'hold'>): Confirmed {
  const numberPart = number === '' ? {} : { cart_number: number };
  return { kind: 'hold', entry: sending(entry), input: { ...press, ...value, ttl_minutes: minutes, ...numberPart } };
}

function spendOf({ entry, value, number }: Ready, press: Press, earlierSpends: readonly OperationView[]): Confirmed {
  const isAnswered = entry.question?.kind === 'repeat';
  if (isEarnValue(value) && !isAnswered && earlierSpends.some((earlier) => isSameSpend(earlier, entry, value))) {
    return ask('repeat', entry, value);
  }
  const given = givenName(value, entry.entryFor.card);
  const givenPart = given === null ? {} : { given_name: given };
  return { kind: 'spend', entry: sending(entry), input: { ...press, ...receiptPart(number), ...value, ...givenPart } };
}

function earnOf({ entry, number, needsSecondLook }: Ready, press: Press, value: EarnValue): Confirmed {
  const { question, filled, lookedTwiceAt } = entry;
  const minor = 'amount_minor' in value ? value.amount_minor : null;
  const saidYes = question?.kind === 'large' || (minor !== null && lookedTwiceAt === minor);
  if (needsSecondLook && !saidYes) return ask('large', entry, value);
  const input: EarnInput = {
    ...press,
    ...receiptPart(number),
    ...value,
    repeat: question?.kind === 'repeat' ? 'accepted' : 'ask',
    ...(saidYes ? { large: 'accepted' } : {}),
    ...(filled === null || !isForHandedOver(entry) ? {} : { handed_over_id: filled.id }),
  };
  return { kind: 'earn', entry: { ...sending(entry), lookedTwiceAt: saidYes ? minor : null }, input, value };
}

function receiptPart(number: string): { readonly receipt_number?: string } {
  return number === '' ? {} : { receipt_number: number };
}

/** The name of a reward or coupon; null when it is unknown. A coupon that is not this card is named by its code. */
export function givenName(value: SpendValue, card: CardEntry | null): string | null {
  let name: string | undefined;
  if ('coupon_code' in value) name = value.coupon_code === card?.card_id ? card.template_name : value.coupon_code;
  else if ('reward' in value) {
    name = card?.available_rewards.find(({ reward_id }) => reward_id === value.reward_id)?.name;
  }
  return name === undefined || name === '' ? null : name;
}

/** Whether an earlier redemption took the same value from the same card. */
function isSameSpend(earlier: OperationView, entry: Entry, value: EarnValue): boolean {
  const { card } = entry.entryFor;
  if (earlier.operation_id === entry.operationId || card === null || earlier.card_id !== card.card_id) return false;
  return hasValue(earlier, value);
}

function isEarnValue(value: SpendValue): value is EarnValue {
  return !('reward' in value) && !('coupon_code' in value);
}
