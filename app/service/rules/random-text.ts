import type { RandomSource } from '../../../shared/lib/random.ts';

const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** So many letters and digits that are not mistaken for one another. */
export function randomText(random: RandomSource, length: number): string {
  return Array.from(random.bytes(length), (byte) => letters[byte & 31]).join('');
}

/** So many digits, each as likely as the others. */
export function randomDigits(random: RandomSource, length: number): string {
  return Array.from({ length }, () => Math.floor(random.next() * 10)).join('');
}
