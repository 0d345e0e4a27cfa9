import { cardOperationsBy } from '../../shared/contract/card-names.ts';
import type { DayFigure, DayLine } from '../../shared/till/day-views.ts';
import { type Locale, localeTable } from '../../shared/till/locales.ts';
import type { DayCloseWords } from '../copy/en/day-close.ts';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Friday, 20 November 2026`, or `20 Nov 2026`. A business date is not an instant, so no time zone may move it. */
export function dateInWords(date: string, locale: Locale, length: 'long' | 'short'): string {
  const key = `${locale} ${length}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(localeTable[locale].tag, {
      ...(length === 'long' ? { weekday: 'long', month: 'long' } : { month: 'short' }),
      day: 'numeric',
      year: 'numeric',
      timeZone: 'UTC',
    });
  formats.set(key, format);
  return format.format(Date.parse(`${date}T00:00:00Z`));
}

/** The name of a line, in the words of the buttons that made its operations. */
export function lineName(line: DayLine, words: Words, own: DayCloseWords): string {
  switch (line.intent) {
    case 'earn':
    case 'redeem': {
      // A gift without a number: a purchase without its amount, or a reward.
      if (line.unit === 'none' && line.intent === 'redeem') return words.recent.otherIntents.redeem;
      const unit = line.unit === 'none' ? 'money' : line.unit;
      const [operation = 'earn_amount'] = cardOperationsBy(line.intent === 'earn' ? 'earn' : 'spend', [unit]);
      return words.operations.names[operation];
    }
    case 'reverse':
      if (line.takes_back === null) return words.recent.otherIntents.reverse;
      return line.takes_back === 'earn' ? own.earnsTakenBack : own.spendsTakenBack;
    case 'enroll':
    case 'verify':
    case 'reserve':
    case 'commit':
    case 'release':
      return words.recent.otherIntents[line.intent];
  }
}

/** The value of a figure: `KWD 12.500`, `25 points`; null where the line has no unit. */
export function figureWorth(figure: DayFigure, line: DayLine, words: Words, format: Format): string | null {
  switch (line.unit) {
    case 'money':
      return format.money(figure.total, line.currency ?? '');
    case 'points':
    case 'stamps':
    case 'visits':
      return words.amounts[line.unit](figure.total, format.number(figure.total));
    case 'none':
      return null;
  }
}
