import type { HoldWords } from '../en/holds.ts';

export const words: HoldWords = {
  what: 'ما الذي يُحجز',
  amount: 'الرصيد النقدي',
  points: 'النقاط',
  howLong: 'الدقائق',
};
