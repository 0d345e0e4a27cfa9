import { formatMoney } from '../../../shared/money.ts';
import type { OperationView } from '../../../shared/till/views.ts';

/** `KWD 12.500`, `+50 points`: what an operation is about, in one short cell. */
export function valueWords(operation: OperationView): string {
  const { amount_minor, currency, points, stamps, visits } = operation;
  if (amount_minor !== null) {
    return currency === null ? `${amount_minor} minor units` : formatMoney(amount_minor, currency, 'en');
  }
  if (points !== null) return `${points} points`;
  if (stamps !== null) return `${stamps} stamps`;
  if (visits !== null) return `${visits} visits`;
  return '';
}
