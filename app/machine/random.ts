import { randomBytes, randomFillSync } from 'node:crypto';
import type { RandomSource } from '../../shared/lib/random.ts';

/** This machine's random numbers, good enough for keys and codes. */
export function systemRandom(): RandomSource {
  // Fetched many at a time: the way to the system costs more than the number.
  const numbers = new Uint32Array(256);
  let used = numbers.length;
  return {
    next() {
      if (used === numbers.length) {
        randomFillSync(numbers);
        used = 0;
      }
      const number = numbers[used] ?? 0;
      used += 1;
      return number / 2 ** 32;
    },
    bytes: (length) => randomBytes(length),
  };
}

/** Unguessable text that is safe in an address and as a word of a command: it never begins with a dash. */
export function newWebSecret(): string {
  return randomBytes(24).toString('hex');
}

/**
 * Random numbers that repeat: the same seed gives the same row (sfc32). For tests and `--seed`, never for secrets.
 *
 * @param seed any whole number
 * @param part which of the seed's rows, a whole number below 2^32: each is another one
 */
export function seededRandom(seed: number, part = 0): RandomSource {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9 ^ part;
  let counter = 1;
  function nextUint32(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  // The first numbers of neighbouring seeds are alike; these are thrown away.
  for (let round = 0; round < 15; round += 1) nextUint32();
  return {
    next: () => nextUint32() / 2 ** 32,
    bytes: (length) => Uint8Array.from({ length }, () => nextUint32() >>> 24),
  };
}
