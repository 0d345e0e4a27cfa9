/** What is asked of a hold for an order, beside its amount. */
export const words = {
  what: 'What to hold',
  amount: 'Cashback',
  points: 'Points',
  howLong: 'Minutes',
};

export type HoldWords = typeof words;
