/** The dialog that holds points or cashback for an order, and ends a hold. */
export const words = {
  what: 'What to hold',
  amount: 'Cashback',
  points: 'Points',
  howLong: 'For how long',
  minutes: (minutes: string) => `${minutes} min`,
  cart: 'Cart or order number (optional)',
  hold: 'Hold',
  holding: 'Holding',
  isSpent: 'Deducted from the card now. You can undo this in Recent.',
  order: 'Order number (optional)',
  orderHint: 'From the paid order. Generated when empty.',
  commit: 'Order paid',
  committing: 'Asking the service',
};

export type HoldWords = typeof words;
