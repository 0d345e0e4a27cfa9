import type { Words } from '../copy/en/start.ts';
import { earnInWords, type Format } from '../copy/format.ts';
import { noLimits, readEntry } from './entry.ts';
import { type Entry, exceedsCard, givenName } from './entry-flow.ts';

/** What the act's button says, and whether it does anything now. */
interface Act {
  readonly words: string;
  readonly canPress: boolean;
}

/** The button says what a press does: `Earn KWD 12.500`. With nothing to do it says what is missing. */
export function actOf(entry: Entry, words: Words, format: Format): Act {
  const { operation, kind, text, entryFor } = entry;
  const read = readEntry(text, kind, noLimits);
  if (!read.ok) {
    const isNothing = read.problem === 'empty' || read.problem === 'zero';
    return { words: words.entry.enter[kind.unit], canPress: !isNothing };
  }
  const { value } = read;
  if ('reward' in value || 'coupon_code' in value) {
    const name = givenName(value, entryFor.card);
    return {
      words: name === null ? words.operations.names[operation] : words.entry.act[operation](name),
      canPress: true,
    };
  }
  return { words: words.entry.act[operation](earnInWords(value, words, format)), canPress: !exceedsCard(entry) };
}
