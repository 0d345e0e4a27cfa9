import { csvLine } from '../lib/csv.ts';
import { currencyExponent, minorToDecimalText } from '../money.ts';
import { dayOutcomes } from './day-names.ts';
import type { CashierDay, DayFigure, DayLine, DayView, HeldSum } from './day-views.ts';

const columns = [
  'business_date',
  'part',
  'operation',
  'takes_back',
  'unit',
  'currency',
  ...dayOutcomes.flatMap((outcome) => [`${outcome}_count`, `${outcome}_total`]),
  'employee_ref',
];

/**
 * A day as CSV: its figures, what was added after the day was closed, and both again for each cashier. Holds are rows
 * of the part `held`. Money has the currency's own decimals.
 */
export function dayCsv({ business_date, lines, since_closing, cashiers }: DayView): string {
  const row = (part: string, line: DayLine, employeeRef: string | null) =>
    csvLine([
      business_date,
      part,
      line.intent,
      line.takes_back,
      line.unit,
      line.currency,
      ...dayOutcomes.flatMap((outcome) => [line[outcome].count, totalText(line[outcome], line)]),
      employeeRef,
    ]);
  const ofCashiers = (part: string, each: readonly CashierDay[]) =>
    each.flatMap(({ employee_ref, lines: theirs, held }) => [
      ...theirs.map((line) => row(part, line, employee_ref)),
      ...held.map((sum) => row('held', heldLine(sum), employee_ref)),
    ]);
  return [
    csvLine(columns),
    ...lines.map((line) => row('day', line, null)),
    ...(since_closing?.lines ?? []).map((line) => row('since_closing', line, null)),
    ...ofCashiers('cashier', cashiers ?? []),
    ...ofCashiers('cashier_since_closing', since_closing?.cashiers ?? []),
  ].join('');
}

function heldLine({ unit, currency, count, total }: HeldSum): DayLine {
  const none = { count: 0, total: 0 };
  const rest = { waiting: none, refused: none, written_off: none, taken_back: none };
  return { intent: 'reserve', takes_back: null, unit, currency, applied: { count, total }, ...rest };
}

/** `12.500`, `25`; null where the line has no unit. For an unknown currency: the minor units. */
export function totalText({ total }: DayFigure, { unit, currency }: Pick<DayLine, 'unit' | 'currency'>): string | null {
  if (unit === 'none') return null;
  if (unit !== 'money') return String(total);
  return minorToDecimalText(total, currencyExponent(currency ?? '') ?? 0);
}
