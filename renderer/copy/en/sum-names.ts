import type { CashierSums } from '../../../shared/till/cashier-sums.ts';

/** What the sums of a cashier are called, in Activity and in the day close. */
export const sumNames: Readonly<Record<keyof CashierSums, string>> = {
  earned: 'Earned',
  spent: 'Spent',
  given: 'Given',
  undone: 'Reversed',
  waiting: 'Waiting',
  held: 'Held',
};
