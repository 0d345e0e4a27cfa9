import { type Balances, readBalances } from '../../shared/contract/profile.ts';
import { formatMoney } from '../../shared/money.ts';
import { type Balance, balancesMainFirst, balancesOf, earnedDimension } from '../../shared/till/balances.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import { type Locale, localeTable } from '../../shared/till/locales.ts';
import { progressOf } from '../../shared/till/progress.ts';
import { type ReceiptStanding, receiptStanding } from '../../shared/till/receipt-standing.ts';
import { type Deed, deedInWords } from '../../shared/words/deeds.ts';
import { apart, leftToRight } from '../../shared/words/direction.ts';
import { knownValues } from '../operations/requests/known-values.ts';
import { isOneShot } from '../operations/reversals/reversal-row.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { ReceiptFacts } from './receipt-facts.ts';
import { receiptWords } from './receipt-words.ts';

/** A customer's receipt of one operation, in one language. */
export interface Receipt {
  readonly locale: Locale;
  /** Null when the settings have no name for the shop. */
  readonly shop: string | null;
  /** What happened, in the largest letters. */
  readonly hero: string;
  /** What else happened, and the balance. */
  readonly said: readonly string[];
  /** `share`: from 0 to 1. */
  readonly progress: { readonly text: string; readonly share: number } | null;
  /** The card, the number, the till and when. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/** @returns null for an operation without a receipt: it failed, or it is not a sale */
export function receiptOf(facts: ReceiptFacts, locale: Locale): Receipt | null {
  const standing = receiptStanding(facts.operation);
  if (standing === null) return null;
  return {
    locale,
    shop: facts.shop,
    ...happened(facts, locale, standing),
    progress: standing === 'done' ? progressLine(facts, locale) : null,
    facts: lastLines(facts, locale),
  };
}

function happened(facts: ReceiptFacts, locale: Locale, standing: ReceiptStanding): Pick<Receipt, 'hero' | 'said'> {
  const words = receiptWords[locale];
  const { operation, gain } = facts;
  const value = carriedBy(operation, locale);
  const deed = deedInWords(value.deed, words.did);
  const isEarn = operation.intent === 'earn';
  switch (standing) {
    case 'done':
      return gain === null
        ? { hero: deed, said: balanceLines(facts, locale) }
        : { hero: words.plus(balanceText(gain, locale)), said: [deed, ...balanceLines(facts, locale)] };
    case 'waits':
      return { hero: value.text, said: waitingLines(facts, locale) };
    case 'reversed': {
      const back = isEarn ? words.did.tookBack(value.text) : words.did.gaveBack(value.text);
      // Its balances are from before the reversal, so they are not printed.
      return { hero: words.reversed, said: [back] };
    }
    case 'cancelled':
      return { hero: words.cancelled, said: [value.text] };
  }
}

function waitingLines({ operation, card, isOnline }: ReceiptFacts, locale: Locale): readonly string[] {
  const words = receiptWords[locale];
  if (operation.intent !== 'earn') return [words.notConfirmed];
  const follows = words.follows[carriedCount(operation)?.unit ?? earnedDimension(card) ?? 'unknown'];
  return isOnline ? [follows] : [follows, words.whenBack];
}

/** The main balance of the card, or all balances when the card is unknown. */
function balanceLines(facts: ReceiptFacts, locale: Locale): readonly string[] {
  const balances = presentBalances(facts);
  const { card } = facts;
  if (balances === null) return [];
  const counted = card === null ? balancesOf(balances) : balancesMainFirst({ ...card, balances }).slice(0, 1);
  return counted
    .filter(({ dimension }) => card !== null || dimension !== 'rewards')
    .map((balance) => receiptWords[locale].now(balanceText(balance, locale)));
}

function progressLine(facts: ReceiptFacts, locale: Locale): Receipt['progress'] {
  const balances = presentBalances(facts);
  const { card, goals } = facts;
  const progress = card === null || balances === null ? null : progressOf({ ...card, balances }, goals);
  if (progress === null) return null;
  const { toNext, toNamed } = receiptWords[locale];
  const { unit, left, share, reward } = progress;
  const written = numberIn(locale)(left);
  return { text: reward === null ? toNext[unit](left, written) : toNamed[unit](left, written, reward), share };
}

/** @returns null where the service told none, or the card may hold something else by now */
function presentBalances({ operation, isBalancePresent }: ReceiptFacts): Balances | null {
  return isBalancePresent ? readBalances(operation.newBalances) : null;
}

function lastLines(facts: ReceiptFacts, locale: Locale): Receipt['facts'] {
  const { operation, card, reference, till, cashier, timeZone } = facts;
  const words = receiptWords[locale];
  const time = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone } as const;
  const named = [card?.template_name ?? '', cardEnd(operation)].filter((part) => part !== '').join(' ');
  return [
    ...(named === '' ? [] : [{ label: words.card, value: named }]),
    { label: words.receipt, value: leftToRight(reference) },
    {
      label: apart(cashier === null ? till : `${till}, ${cashier}`),
      value: new Intl.DateTimeFormat(localeTable[locale].tag, time).format(operation.occurredAtMs),
    },
  ];
}

/** The value of an operation: `KWD 12.500`, `40 points`, `Free cake`. */
function carriedBy(operation: Operation, locale: Locale): { readonly text: string; readonly deed: Deed } {
  const words = receiptWords[locale];
  const name = operation.givenName;
  if (isOneShot(operation)) {
    const isCoupon = operation.givenKind === 'coupon';
    const nameless = isCoupon ? words.oneCoupon : words.counts.rewards(1, numberIn(locale)(1));
    return { text: name ?? nameless, deed: { kind: 'give', name, isCoupon } };
  }
  const values = knownValues(operation);
  const kind = operation.intent === 'earn' ? 'earn' : 'spend';
  const counted = carriedCount(values);
  if (counted !== null) {
    const { unit, value } = counted;
    const text = words.counts[unit](value, numberIn(locale)(value));
    return { text, deed: { kind, unit, written: text } };
  }
  const { amountMinor, currency } = values;
  const text = amountMinor === null ? '' : formatMoney(amountMinor, currency ?? '', localeTable[locale].tag);
  return { text, deed: { kind, unit: 'money', written: text } };
}

function balanceText({ dimension, value, currency }: Balance, locale: Locale): string {
  if (dimension === 'cashback') return formatMoney(value, currency ?? '', localeTable[locale].tag);
  return receiptWords[locale].counts[dimension](value, numberIn(locale)(value));
}

function numberIn(locale: Locale): (value: number) => string {
  const format = new Intl.NumberFormat(localeTable[locale].tag, { maximumFractionDigits: 3 });
  return (value) => format.format(value);
}

/** The last four characters of a card or phone, when enough others are hidden. */
function cardEnd({ identifier }: Operation): string {
  if (identifier === null || (identifier.kind !== 'loyalty_id' && identifier.kind !== 'phone')) return '';
  const { value } = identifier;
  return value.length < 8 ? '' : leftToRight(`•••• ${value.slice(-4)}`);
}
