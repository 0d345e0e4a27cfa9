/** What a hold for an order asks, apart from its amount. */
export const words = {
  what: 'What to hold',
  amount: 'Cashback',
  points: 'Points',
  howLong: 'Minutes',
};

export type HoldWords = typeof words;
