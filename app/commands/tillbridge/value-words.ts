import { formatMoney } from '../../../shared/money.ts';
import { carriedCount } from '../../../shared/till/carried-count.ts';
import type { OperationView } from '../../../shared/till/views.ts';

/** `KWD 12.500`, `+50 points`: what an operation is about, in one short cell. */
export function valueWords(operation: OperationView): string {
  const { amount_minor, currency } = operation;
  if (amount_minor !== null) {
    return currency === null ? `${amount_minor} minor units` : formatMoney(amount_minor, currency, 'en');
  }
  const counted = carriedCount(operation);
  return counted === null ? '' : `${counted.value} ${counted.unit}`;
}
