/** Holding something for an order, and its end: the dialog. */
export const words = {
  what: 'What to hold',
  amount: 'Cashback',
  points: 'Points',
  howLong: 'For how long',
  minutes: (minutes: string) => `${minutes} min`,
  cart: 'Cart or order number (optional)',
  hold: 'Hold',
  holding: 'Holding',
  isSpent: 'Taken off the card now. It can be undone in Recent.',
  order: 'Order number (optional)',
  orderHint: 'As it stands on the paid order. Made when empty.',
  commit: 'Order paid',
  committing: 'Asking the service',
};

export type HoldWords = typeof words;
