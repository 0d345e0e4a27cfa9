/** SQLite's running checksum over a write-ahead log: two sums of 32 bits ("Checksum Algorithm" in fileformat2). */
export interface LogChecksum {
  readonly s1: number;
  readonly s2: number;
}

export const firstChecksum: LogChecksum = { s1: 0, s2: 0 };

export function isSameChecksum(one: LogChecksum, other: LogChecksum): boolean {
  return one.s1 === other.s1 && one.s2 === other.s2;
}

/** Carries a checksum on over `parts`, each a whole number of eight bytes. */
export function checksumOver(
  parts: readonly Buffer[],
  from: LogChecksum,
  { isLittleEndian }: { readonly isLittleEndian: boolean },
): LogChecksum {
  let { s1, s2 } = from;
  for (const part of parts) {
    const view = new DataView(part.buffer, part.byteOffset, part.length);
    for (let at = 0; at < part.length; at += 8) {
      s1 = (s1 + view.getUint32(at, isLittleEndian) + s2) >>> 0;
      s2 = (s2 + view.getUint32(at + 4, isLittleEndian) + s1) >>> 0;
    }
  }
  return { s1, s2 };
}

/** One word that, changed by `difference`, makes a checksum right. */
interface WordFix {
  /** Place among the 32-bit words that were summed. */
  readonly word: number;
  /** Is to be added, modulo 2^32. */
  readonly difference: number;
}

/**
 * The single words whose change explains a checksum that is wrong. Both sums are linear, so for each place there is at
 * most one change; that rubbish is explained by chance happens once in some millions. Flips in a word's upper bits can be
 * explained at more than one place.
 *
 * @param wordCount how many words were summed, an even number
 */
export function singleWordFixes(
  wordCount: number,
  { computed, stored }: { readonly computed: LogChecksum; readonly stored: LogChecksum },
): readonly WordFix[] {
  const wanted = { s1: (stored.s1 - computed.s1) >>> 0, s2: (stored.s2 - computed.s2) >>> 0 };
  const fixes: WordFix[] = [];
  // What a change of 1 in a word of the last pair makes of the two sums; one pair earlier, it has passed one step more.
  let ofFirst = { s1: 1, s2: 1 };
  let ofSecond = { s1: 0, s2: 1 };
  for (let pair = wordCount / 2 - 1; pair >= 0; pair -= 1) {
    for (const [word, effect] of [
      [pair * 2, ofFirst],
      [pair * 2 + 1, ofSecond],
    ] as const) {
      const difference = quotient(wanted, effect);
      if (difference !== null) fixes.push({ word, difference });
    }
    ofFirst = stepped(ofFirst);
    ofSecond = stepped(ofSecond);
  }
  return fixes;
}

function stepped({ s1, s2 }: LogChecksum): LogChecksum {
  const next = (s1 + s2) >>> 0;
  return { s1: next, s2: (s2 + next) >>> 0 };
}

/** @returns the number that makes `wanted` of `effect`; null when none does. One of the effect's sums is always odd. */
function quotient(wanted: LogChecksum, effect: LogChecksum): number | null {
  const isFirstOdd = (effect.s1 & 1) === 1;
  const divisor = isFirstOdd ? effect.s1 : effect.s2;
  const number = Math.imul(isFirstOdd ? wanted.s1 : wanted.s2, inverseOf(divisor)) >>> 0;
  const fits = Math.imul(number, effect.s1) >>> 0 === wanted.s1 && Math.imul(number, effect.s2) >>> 0 === wanted.s2;
  return fits && number !== 0 ? number : null;
}

/** Of an odd number, modulo 2^32: each round doubles the bits that are right. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let round = 0; round < 5; round += 1) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}
