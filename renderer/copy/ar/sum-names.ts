import type { CashierSums } from '../../../shared/till/cashier-sums.ts';

/** What the sums of a cashier are called, in Activity and in the day close. */
export const sumNames: Readonly<Record<keyof CashierSums, string>> = {
  earned: 'إضافة',
  spent: 'صرف',
  given: 'منح',
  undone: 'استُرجعت',
  waiting: 'في الانتظار',
  held: 'محجوزة',
};
