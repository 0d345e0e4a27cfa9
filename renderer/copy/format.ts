import type { CustomerProfile } from '../../shared/contract/profile.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/lib/durations.ts';
import { currencySign, formatMoney } from '../../shared/money.ts';
import type { Balance } from '../../shared/till/balances.ts';
import { type Locale, localeTable } from '../../shared/till/locales.ts';
import type { EarnValue } from '../operation/entry.ts';
import type { Words } from './en/start.ts';

/** Writes numbers and times for one language, currency and time zone. */
export interface Format {
  readonly money: (amountMinor: number, currency: string) => string;
  /** The sign beside an amount of money: `KWD`, `د.ك`. */
  readonly currency: (currency: string) => string;
  readonly number: (value: number) => string;
  /** `14:02`. */
  readonly time: (epochMs: number) => string;
  /** `20 Nov, 14:02`. */
  readonly dateTime: (epochMs: number) => string;
  /** `20 Nov, 14:02:36`: for readers who compare the order of events. */
  readonly exactTime: (epochMs: number) => string;
  /** The shortest clear form: for today only the time. */
  readonly when: (epochMs: number, nowMs: number) => string;
  /** The day as people say it: for today the time, `yesterday`, else `18 Nov`. */
  readonly day: (epochMs: number, nowMs: number) => string;
  /** The day inside a sentence: `today`, `yesterday`, `4 days ago`, else `18 Nov`. */
  readonly dayAgo: (epochMs: number, nowMs: number) => string;
  /** Arabic digits and point in a number that is already text. */
  readonly digits: (text: string) => string;
}

const toTheMinute = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function makeFormat(locale: Locale, timeZone: string): Format {
  const { tag } = localeTable[locale];
  const zone = knownTimeZone(timeZone);
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
  const time = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zone });
  const dateTime = new Intl.DateTimeFormat(tag, { ...toTheMinute, ...zone });
  // Made at its first use, because a sale never needs it.
  let exact: Intl.DateTimeFormat | null = null;
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'short', ...zone });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'long' });
  const dayOfMonth = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', ...zone });
  const plainDay = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...zone });
  const daysBetween = (epochMs: number, nowMs: number): number =>
    Math.round((Date.parse(plainDay.format(nowMs)) - Date.parse(plainDay.format(epochMs))) / dayMs);
  const plainDigits = new Intl.NumberFormat(tag, { useGrouping: false });
  return {
    money: (amountMinor, currency) => formatMoney(amountMinor, currency, tag),
    currency: (currency) => currencySign(currency, tag),
    number: (value) => number.format(value),
    time: (epochMs) => time.format(epochMs),
    dateTime: (epochMs) => dateTime.format(epochMs),
    exactTime: (epochMs) => {
      exact ??= new Intl.DateTimeFormat(tag, { ...toTheMinute, second: '2-digit', ...zone });
      return exact.format(epochMs);
    },
    when: (epochMs, nowMs) => (day.format(epochMs) === day.format(nowMs) ? time : dateTime).format(epochMs),
    day: (epochMs, nowMs) => {
      const days = daysBetween(epochMs, nowMs);
      if (days <= 0) return time.format(epochMs);
      return days === 1 ? relative.format(-1, 'day') : dayOfMonth.format(epochMs);
    },
    dayAgo: (epochMs, nowMs) => {
      const days = daysBetween(epochMs, nowMs);
      return days < 7 ? relative.format(-Math.max(0, days), 'day') : dayOfMonth.format(epochMs);
    },
    digits: (text) =>
      text
        .replace(/\d/g, (digit) => plainDigits.format(Number(digit)))
        .replace('.', plainDigits.format(0.1).slice(1, -1)),
  };
}

/** A time zone for `Intl`. The settings check it, but a wrong one must not leave the screen blank. */
export function knownTimeZone(timeZone: string): { timeZone?: string } {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return { timeZone };
  } catch {
    return {};
  }
}

/** A length of time in its largest unit: `3 h`, `12 min`. */
export function durationInWords(ms: number, words: Words, format: Format): string {
  const value = Math.max(0, ms);
  if (value < minuteMs) return words.frame.underMinute;
  const minutes = Math.floor(value / minuteMs);
  const hours = Math.floor(value / hourMs);
  return hours === 0
    ? words.frame.minutes(minutes, format.number(minutes))
    : words.frame.hours(hours, format.number(hours));
}

/** The rest of a short time: `4:32`. A part of a second counts as a second. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * A balance in people's words: `KWD 1.250 cashback`, `7 of 10 stamps`, `2 rewards ready`.
 *
 * @param stampGoal how many stamps make a reward; null where that is unknown or not told
 */
export function balanceInWords(
  balance: Balance,
  words: Words,
  format: Format,
  stampGoal: number | null = null,
): string {
  const { dimension, value } = balance;
  if (dimension === 'cashback') return words.amounts.cashback(value, moneyOrNumber(balance, format));
  if (dimension === 'stamps' && stampGoal !== null) {
    return `${format.number(value)} ${words.ofStamps(stampGoal, format.number(stampGoal))}`;
  }
  return words.amounts[dimension](value, format.number(value));
}

/** Only the number of a balance, money with its currency. */
export function moneyOrNumber({ dimension, value, currency }: Balance, format: Format): string {
  if (dimension !== 'cashback') return format.number(value);
  return currency === null ? format.number(value) : format.money(value, currency);
}

/** The value of an earn, in words: `KWD 12.500`, `25 points`. */
export function earnInWords(value: EarnValue, words: Words, format: Format): string {
  if ('amount_minor' in value) return format.money(value.amount_minor, value.currency);
  if ('points' in value) return words.amounts.points(value.points, format.number(value.points));
  if ('stamps' in value) return words.amounts.stamps(value.stamps, format.number(value.stamps));
  return words.amounts.visits(value.visits, format.number(value.visits));
}

/**
 * The last four digits. They are enough to ask "ending in 1234?", and too few to misuse. Of a number that the service
 * has masked only those behind its last sign: the ones before are of the country.
 */
export function maskedPhone(phone: string): string {
  const [end] = phone.replace(/[\s()+]|(?<=\d)[-./](?=\d)/g, '').match(/\d{0,4}$/) ?? [];
  return `•••• ${end ?? ''}`.trim();
}

/** A masked phone or e-mail that tells customers of the same name apart; null when there is neither. */
export function maskedContact({ phone, email }: Pick<CustomerProfile, 'phone' | 'email'>): string | null {
  if (phone !== null) return maskedPhone(phone);
  return email === null ? null : maskedEmail(email);
}

export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '••••' : `${email.slice(0, 1)}•••${email.slice(at)}`;
}
