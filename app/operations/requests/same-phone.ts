import { fromPlus } from '../../../shared/contract/phone-shape.ts';

/** So many digits are a number without its country: fewer may be the end of any other. */
const leastDigits = 7;

/**
 * Whether two phone numbers may be one, with its country or without, however they are written. Numbers of two countries
 * may end alike: whose operations are shown or erased is decided by `international-phone.ts`.
 */
export function isSamePhone(one: string, other: string): boolean {
  const [left, right] = [digitsOf(one), digitsOf(other)];
  const isLong = Math.min(left.length, right.length) >= leastDigits;
  return left === right || (isLong && (left.endsWith(right) || right.endsWith(left)));
}

/** What people write between the digits of a number. */
const writtenNumber = /^\+?[\d\s().-]+$/;

/**
 * A number as it is dialled, the same however its digits are grouped. A number without its country stays without it: only
 * the service knows its own region. What has anything else in it stays as it is.
 */
export function asDialled(phone: string): string {
  const text = fromPlus(phone.trim());
  if (!writtenNumber.test(text)) return phone;
  const digits = withoutOthers(text);
  return text.startsWith('+') ? `+${digits}` : digits.replace(/^00/, '+');
}

/** What dials a country, 00, or a trunk, 0, is no part of the number; nor is an extension. */
function digitsOf(phone: string): string {
  return phoneDigits(phone).replace(/^0+/, '');
}

/** The digits of a number as it is written, without those of an extension (`ext 1`, `;ext=77`, `x9`, `#5`). */
export function phoneDigits(phone: string): string {
  const text = phone.normalize('NFKC');
  const digits = withoutOthers(text.split(/(?<=\d[^\d]*)[\p{L},;#~]/u, 1)[0] ?? '');
  // What is written between the digits of a number begins no extension.
  return digits.length >= leastDigits ? digits : withoutOthers(text);
}

function withoutOthers(text: string): string {
  return text.replace(/\D/gu, '');
}
