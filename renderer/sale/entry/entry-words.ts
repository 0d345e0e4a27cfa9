import type { Words } from '../../copy/en/start.ts';
import { earnInWords, type Format } from '../../copy/format.ts';
import { noLimits, readEntry } from '../../operation/entry.ts';
import { type Entry, exceedsCard, givenName } from './entry-flow.ts';

/** What the entry's button says, and whether it can be pressed now. */
interface Act {
  readonly words: string;
  readonly canPress: boolean;
}

/** The entry's title: what the cashier is doing. */
export function entryTitle({ operation, aim }: Entry, { holds, nextSteps, operations }: Words): string {
  switch (aim?.kind) {
    case undefined:
      return operations.names[operation];
    case 'hold':
      return holds.button;
    case 'paid':
      return holds.actions.commit;
    case 'renumber':
      return nextSteps.receipt;
  }
}

/** Whose the entry is: their name, or what is known instead. */
export function entryWho({ entryFor }: Entry, { customer }: Words): string {
  return entryFor.customerName ?? entryFor.hint ?? customer.nameless;
}

/** The title of the number that may be entered: the receipt's or the order's. */
export function numberTitle({ aim }: Entry, words: Words): string {
  return aim === null || aim.kind === 'renumber' ? words.entry.receiptShort : words.holds.order;
}

/** The button says what a press does: `Earn KWD 12.500`. When something is missing, it names that. */
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
  const act = entry.aim?.kind === 'hold' ? words.holds.act : words.entry.act[operation];
  return { words: act(earnInWords(value, words, format)), canPress: !exceedsCard(entry) };
}
