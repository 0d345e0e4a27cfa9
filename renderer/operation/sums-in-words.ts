import type { CashierSum } from '../../shared/till/cashier-sums.ts';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';

/** `KWD 12.500 · 25 points`; `3` for operations without a value; null when there is nothing. */
export function sumsInWords(sums: readonly CashierSum[], words: Words, format: Format): string | null {
  if (sums.length === 0) return null;
  return sums
    .map(({ unit, currency, total, count }) => {
      if (unit === 'none') return format.number(count);
      if (unit === 'money') return format.money(total, currency ?? '');
      return words.amounts[unit](total, format.number(total));
    })
    .join(' · ');
}
