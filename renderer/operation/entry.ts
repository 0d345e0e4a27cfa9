import { type CardOperation, cardOperationTable } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { type ValueField, valueFields } from '../../shared/contract/value-fields.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { foldDigits, plainText } from '../../shared/lib/digits.ts';
import {
  type AmountProblem,
  currencyExponent,
  minorToDecimalText,
  parseAmount,
  plainNumber,
} from '../../shared/money.ts';
import { type CarriedCount, type CountUnit, carriedCount } from '../../shared/till/carried-count.ts';
import type { LimitName } from '../../shared/till/limits.ts';
import type { OperationView, TillState } from '../../shared/till/views.ts';

export type Limits = TillState['limits'];

/** No limits. A redemption is limited by what the card holds, which the service judges, and by the agent. */
export const noLimits: Limits = {
  max_amount_minor: Number.MAX_SAFE_INTEGER,
  max_points: Number.MAX_SAFE_INTEGER,
  max_stamps: Number.MAX_SAFE_INTEGER,
  max_visits: Number.MAX_SAFE_INTEGER,
  confirm_above_minor: null,
};

/** The setting that limits one sale in this unit. */
export const saleLimits = {
  money: 'max_amount_minor',
  points: 'max_points',
  stamps: 'max_stamps',
  visits: 'max_visits',
} as const satisfies Record<NumberKind['unit'], keyof Limits & LimitName>;

/** What is being entered: money in a currency, points with up to three decimals, or whole stamps or visits. */
export type EntryKind =
  | { readonly unit: 'money'; readonly currency: string }
  | { readonly unit: CountUnit }
  /** A reward, when the card has several. The text is the reward's id. */
  | { readonly unit: 'reward'; readonly rewards: CardEntry['available_rewards'] }
  /**
   * A coupon's code is its card (spec "POST /transactions/redeem"). It is filled in, and another one can be scanned.
   */
  | { readonly unit: 'coupon'; readonly code: string };

/** The kinds that are entered by digits. */
export type NumberKind = Exclude<EntryKind, { readonly unit: 'reward' | 'coupon' }>;

export function isNumberKind(kind: EntryKind): kind is NumberKind {
  return kind.unit !== 'reward' && kind.unit !== 'coupon';
}

/** Why a text cannot be taken; the screen has words for each. */
export type EntryProblem =
  | AmountProblem
  | 'above_limit'
  | 'whole_number_only'
  | 'choose_reward'
  | 'no_code'
  | 'above_balance';

/** Exactly one value of an earn, in the contract's own fields. */
export type EarnValue =
  | { readonly amount_minor: number; readonly currency: string }
  | { readonly points: number }
  | { readonly stamps: number }
  | { readonly visits: number };

/** Exactly one value of a redemption, in the contract's own fields. */
export type SpendValue =
  | EarnValue
  | { readonly reward: true; readonly reward_id?: string }
  | { readonly coupon_code: string };

type Entered =
  | { readonly ok: true; readonly value: SpendValue; readonly needsSecondLook: boolean }
  | { readonly ok: false; readonly problem: EntryProblem };

const pointsDecimals = 3;
/** The longest text that the keypad types, the point included. */
const maxKeyedLength = 12;

export function entryKind(operation: CardOperation, currency: string, card: CardEntry | null): EntryKind {
  const { unit } = cardOperationTable[operation];
  switch (unit) {
    case 'money':
      return { unit, currency };
    case 'points':
    case 'stamps':
    case 'visits':
      return { unit };
    case 'reward':
      return { unit, rewards: card?.available_rewards ?? [] };
    case 'coupon':
      return { unit, code: card?.card_id ?? '' };
    default:
      return assertNever(unit);
  }
}

/** The field's first text: one stamp and one visit are by far the most common. */
export function firstText(kind: EntryKind): string {
  if (kind.unit === 'coupon') return kind.code;
  if (kind.unit === 'reward') return kind.rewards.length === 1 ? (kind.rewards[0]?.reward_id ?? '') : '';
  return kind.unit === 'stamps' || kind.unit === 'visits' ? '1' : '';
}

/** Whether an operation has this value and no other. */
export function hasValue(
  operation: Pick<OperationView, ValueField>,
  value: { readonly [Field in ValueField]?: number | undefined },
): boolean {
  return valueFields.every((field) => operation[field] === (value[field] ?? null));
}

/** An operation's value, as it would be typed. */
export function textOfOperation(operation: Pick<OperationView, ValueField | 'currency'>): string {
  const { amount_minor, currency } = operation;
  if (amount_minor !== null) return minorToDecimalText(amount_minor, currencyExponent(currency ?? '') ?? 0);
  return String(carriedCount(operation)?.value ?? '');
}

/** Everything that a card holds in the entry's unit, as it would be typed; null when that is nothing or unknown. */
export function wholeBalance(card: CardEntry | null, kind: EntryKind): string | null {
  if (card === null || !isNumberKind(kind)) return null;
  const { balances } = card;
  if (kind.unit === 'money') {
    const exponent = currencyExponent(kind.currency);
    const held = balances.currency === null || balances.currency === kind.currency ? balances.cashback_minor : null;
    return exponent === null || held === null || held <= 0 ? null : minorToDecimalText(held, exponent);
  }
  const held = balances[kind.unit];
  return held === null || held <= 0 ? null : String(held);
}

/** Reads what was entered and checks it against the limits. */
export function readEntry(text: string, kind: EntryKind, limits: Limits): Entered {
  if (kind.unit === 'money') {
    const parsed = parseAmount(text, kind.currency);
    if (!parsed.ok) return parsed;
    if (parsed.amountMinor > limits[saleLimits.money]) return { ok: false, problem: 'above_limit' };
    const needsSecondLook = limits.confirm_above_minor !== null && parsed.amountMinor > limits.confirm_above_minor;
    return { ok: true, value: { amount_minor: parsed.amountMinor, currency: kind.currency }, needsSecondLook };
  }
  if (kind.unit === 'coupon') {
    // The card's own code stays as the service has made it.
    const code = text === kind.code ? text : plainText(text);
    if (code === '') return { ok: false, problem: 'no_code' };
    return { ok: true, value: { coupon_code: code }, needsSecondLook: false };
  }
  if (kind.unit === 'reward') {
    if (text !== '') return { ok: true, value: { reward: true, reward_id: text }, needsSecondLook: false };
    if (kind.rewards.length > 1) return { ok: false, problem: 'choose_reward' };
    return { ok: true, value: { reward: true }, needsSecondLook: false };
  }
  const count = readCount(text, kind.unit === 'points' ? pointsDecimals : 0);
  if (!count.ok) return count;
  if (count.count > limits[saleLimits[kind.unit]]) return { ok: false, problem: 'above_limit' };
  return { ok: true, value: earnValueOfCount({ unit: kind.unit, value: count.count }), needsSecondLook: false };
}

type Count = { readonly ok: true; readonly count: number } | { readonly ok: false; readonly problem: EntryProblem };

function readCount(text: string, decimals: number): Count {
  const plain = plainNumber(text);
  if (plain === '') return { ok: false, problem: 'empty' };
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain);
  if (match === null) return { ok: false, problem: 'not_a_number' };
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return { ok: false, problem: 'not_a_number' };
  if (sign === '-') return { ok: false, problem: 'negative' };
  if (decimals === 0 && plain.includes('.')) return { ok: false, problem: 'whole_number_only' };
  if (fraction.length > decimals) return { ok: false, problem: 'too_many_decimals' };
  const count = Number(`${whole === '' ? '0' : whole}.${fraction === '' ? '0' : fraction}`);
  if (count === 0) return { ok: false, problem: 'zero' };
  if (count > Number.MAX_SAFE_INTEGER) return { ok: false, problem: 'too_large' };
  return { ok: true, count };
}

/** A count as the value of a request. */
export function earnValueOfCount({ unit, value }: CarriedCount): EarnValue {
  switch (unit) {
    case 'points':
      return { points: value };
    case 'stamps':
      return { stamps: value };
    case 'visits':
      return { visits: value };
    default:
      return assertNever(unit);
  }
}

/**
 * What the amount that will be saved has beyond the typed text: `.000` where `12` was typed. Empty while the text is no
 * amount of money.
 */
export function impliedText(text: string, kind: EntryKind): string {
  if (kind.unit !== 'money') return '';
  const parsed = parseAmount(text, kind.currency);
  const exponent = currencyExponent(kind.currency) ?? 0;
  const isBlank = !parsed.ok && (parsed.problem === 'empty' || parsed.problem === 'zero');
  if (!parsed.ok && !isBlank) return '';
  const full = minorToDecimalText(parsed.ok ? parsed.amountMinor : 0, exponent);
  const [, decimals = ''] = full.split('.');
  const plain = foldDigits(text);
  if (plain.trim() === '') return full;
  const point = plain.lastIndexOf('.');
  if (point === -1) return decimals === '' ? '' : `.${decimals}`;
  return decimals.slice(plain.slice(point + 1).replace(/\D/g, '').length);
}

/** How many decimals may be entered: KWD has 3, USD 2, JPY none. */
export function decimalsOf(kind: EntryKind): number {
  if (kind.unit === 'money') return currencyExponent(kind.currency) ?? 0;
  return kind.unit === 'points' ? pointsDecimals : 0;
}

/** Row by row. The erasing key is two rows high. */
export const keypadKeys = ['1', '2', '3', 'erase', '4', '5', '6', '7', '8', '9', '00', '.', '0', '000'] as const;
export type KeypadKey = (typeof keypadKeys)[number];

/**
 * The field's text after a press of the keypad, which is the same as after typing. A press that can only be a mistake
 * (a second point, a decimal too many) changes nothing.
 *
 * @param untouched the field still holds its first text, which the first digit replaces
 */
export function pressKey(text: string, key: KeypadKey, kind: EntryKind, untouched: boolean): string {
  if (key === 'erase') return text.slice(0, -1);
  const before = untouched ? '' : text;
  if (key === '00' || key === '000') {
    return Array.from(key).reduce((now) => pressKey(now, '0', kind, false), before);
  }
  const decimals = decimalsOf(kind);
  const point = before.indexOf('.');
  if (key === '.') {
    if (decimals === 0 || point !== -1) return before;
    return before === '' ? '0.' : `${before}.`;
  }
  if (point !== -1 && before.length - point > decimals) return before;
  if (before === '0') return key;
  return before.length >= maxKeyedLength ? before : before + key;
}
