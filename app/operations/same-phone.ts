/** So many digits are a number without its country: fewer may be the end of any other. */
const leastDigits = 7;

/** Whether two phone numbers are one, with its country or without, however they are written. */
export function isSamePhone(one: string, other: string): boolean {
  const [left, right] = [digitsOf(one), digitsOf(other)];
  const isLong = Math.min(left.length, right.length) >= leastDigits;
  return left === right || (isLong && (left.endsWith(right) || right.endsWith(left)));
}

/** What dials a country, 00, or a trunk, 0, is no part of the number. */
function digitsOf(phone: string): string {
  return phone.normalize('NFKC').replace(/\D/gu, '').replace(/^0+/, '');
}
