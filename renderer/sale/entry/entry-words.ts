import type { Words } from '../../copy/en/start.ts';
import { balanceInWords, earnInWords, type Format } from '../../copy/format.ts';
import { balanceAfter } from '../../operation/balances.ts';
import { decimalsOf, isNumberKind, type Limits, noLimits, readEntry } from '../../operation/entry.ts';
import { limitInWords, saleLimitInWords } from '../../operation/limit-words.ts';
import { givenName } from './confirm-entry.ts';
import { type Entry, exceedsCard } from './entry-flow.ts';

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

/** What is wrong with what was entered; null when nothing is. @param limits of one sale at this till */
export function problemInWords(entry: Entry, limits: Limits | null, words: Words, format: Format): string | null {
  const { problem, passedLimit, kind, entryFor } = entry;
  if (problem === 'above_balance' || (problem === null && isNumberKind(kind) && exceedsCard(entry))) {
    const read = readEntry(entry.text, kind, noLimits);
    const change = read.ok ? balanceAfter(entryFor.card, read.value) : null;
    if (change !== null) return words.entry.onlyOnCard(balanceInWords(change.before, words, format));
  }
  if (problem === 'above_limit' && passedLimit !== null) {
    return limitInWords({ ...passedLimit, currency: kind.unit === 'money' ? kind.currency : '' }, words, format);
  }
  if (problem === 'above_limit' && limits !== null && isNumberKind(kind))
    return saleLimitInWords(kind, limits, words, format);
  if (problem === 'too_many_decimals') {
    const decimals = decimalsOf(kind);
    return decimals === 0
      ? words.entry.problems.whole_number_only
      : words.entry.tooManyDecimals(format.number(decimals));
  }
  return problem === null ? null : words.entry.problems[problem];
}
