import { csvLine } from '../lib/csv.ts';
import { currencyExponent, minorToDecimalText } from '../money.ts';
import { dayOutcomes } from './day-names.ts';
import type { DayFigure, DayLine, DayView } from './day-views.ts';

const columns = [
  'business_date',
  'part',
  'operation',
  'takes_back',
  'unit',
  'currency',
  ...dayOutcomes.flatMap((outcome) => [`${outcome}_count`, `${outcome}_total`]),
];

/** A day as CSV: its figures, and of a closed day what came after the closing. Money in the currency's own decimals. */
export function dayCsv({ business_date, lines, since_closing }: DayView): string {
  const rows = (part: 'day' | 'since_closing', of: readonly DayLine[]) =>
    of.map((line) =>
      csvLine([
        business_date,
        part,
        line.intent,
        line.takes_back,
        line.unit,
        line.currency,
        ...dayOutcomes.flatMap((outcome) => [line[outcome].count, totalText(line[outcome], line)]),
      ]),
    );
  return [csvLine(columns), ...rows('day', lines), ...rows('since_closing', since_closing?.lines ?? [])].join('');
}

/** `12.500`, `25`; null where the line has no unit. Of an unknown currency the minor units. */
export function totalText({ total }: DayFigure, { unit, currency }: Pick<DayLine, 'unit' | 'currency'>): string | null {
  if (unit === 'none') return null;
  if (unit !== 'money') return String(total);
  return minorToDecimalText(total, currencyExponent(currency ?? '') ?? 0);
}
