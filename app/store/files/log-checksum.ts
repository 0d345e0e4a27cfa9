/** SQLite's running checksum over a write-ahead log: two sums of 32 bits ("Checksum Algorithm" in fileformat2). */
export interface LogChecksum {
  readonly s1: number;
  readonly s2: number;
}

export const firstChecksum: LogChecksum = { s1: 0, s2: 0 };

export function isSameChecksum(one: LogChecksum, other: LogChecksum): boolean {
  return one.s1 === other.s1 && one.s2 === other.s2;
}

/** Bytes as the 32-bit words that are summed. */
export function wordsOf(bytes: Buffer, { isLittleEndian }: { readonly isLittleEndian: boolean }): Int32Array {
  const wordCount = Math.floor(bytes.length / 4);
  const isAsInMemory = isLittleEndian === isLittleEndianMachine && bytes.byteOffset % 4 === 0;
  if (isAsInMemory) return new Int32Array(bytes.buffer, bytes.byteOffset, wordCount);
  return Int32Array.from({ length: wordCount }, (_, word) =>
    isLittleEndian ? bytes.readInt32LE(word * 4) : bytes.readInt32BE(word * 4),
  );
}

const isLittleEndianMachine = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Carries a checksum on over some of `words`, an even number of them.
 *
 * @param range in words: the first one, and the first that is not meant
 */
export function checksumOver(
  words: Int32Array,
  from: LogChecksum,
  { first, end }: { readonly first: number; readonly end: number } = { first: 0, end: words.length },
): LogChecksum {
  // Signed: such numbers V8 adds without an object for each, also before it has compiled this loop.
  let s1 = from.s1 | 0;
  let s2 = from.s2 | 0;
  for (let at = first; at < end; at += 2) {
    s1 = (s1 + (words[at] ?? 0) + s2) | 0;
    s2 = (s2 + (words[at + 1] ?? 0) + s1) | 0;
  }
  return { s1: s1 >>> 0, s2: s2 >>> 0 };
}

/** One word that, changed by `difference`, makes a checksum right. */
export interface WordFix {
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
