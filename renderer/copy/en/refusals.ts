import type { RefusalReason } from '../../operation/outcome.ts';
import type { Advice } from '../advice.ts';

/** Why the service refused, and what to do: `withOtherCard` where another card of the customer offers the same. */
export type RefusalWords = Readonly<Record<RefusalReason, Advice & { readonly withOtherCard?: string }>>;

const callIt = 'Keep the receipt and call store IT.';
const anotherCard = 'Choose another card of the customer.';

export const refusals: RefusalWords = {
  customer_not_found: {
    title: 'The service does not know this customer',
    next: 'Check the number with the customer and enter the sale again.',
  },
  card_not_eligible: { title: 'This card does not allow this', next: callIt, withOtherCard: anotherCard },
  insufficient_balance: { title: 'Not enough on the card', next: callIt },
  coupon_used: { title: 'This coupon was used before', next: callIt },
  hold_expired: { title: 'The hold has expired', next: callIt },
  hold_over: { title: 'The earlier hold is over', next: callIt },
  paid_in_full: { title: 'Full payment was chosen before', next: callIt },
  card_choice_needed: { title: 'The customer has several cards', next: 'Find the customer and choose the card.' },
  currency_mismatch: { title: 'The card is in another currency', next: callIt, withOtherCard: anotherCard },
  outside_window: { title: 'The sale missed the sending deadline', next: callIt },
  mechanics_unknown: { title: 'The service does not know this card', next: callIt },
  reference_taken: { title: 'The receipt number was used before', next: 'Send the sale under another number.' },
  key_taken: { title: 'The POS program’s key was used before', next: 'Send the sale under another number.' },
  invalid: { title: 'The loyalty service did not accept the sale', next: callIt },
  changed_on_disk: {
    title: 'Changed on this till’s disk, so it was not sent',
    next: 'Compare with the receipt. Then retry or write off.',
  },
  other: { title: 'The loyalty service refused the sale', next: callIt },
};

const takePayment = 'Take full payment.';
const anotherCardOrPayment = 'Choose another card, or take full payment.';

/** Why the service refused a redemption. The customer is still at the till. */
export const spendRefusals: RefusalWords = {
  customer_not_found: {
    title: 'The service does not know this customer',
    next: 'Check the number with the customer, or take full payment.',
  },
  card_not_eligible: {
    title: 'This card does not allow this',
    next: takePayment,
    withOtherCard: anotherCardOrPayment,
  },
  card_choice_needed: { title: 'The customer has several cards', next: 'Choose the card.' },
  currency_mismatch: {
    title: 'The card is in another currency',
    next: takePayment,
    withOtherCard: anotherCardOrPayment,
  },
  outside_window: { title: 'The loyalty service refused the sale', next: takePayment },
  mechanics_unknown: { title: 'The service does not know this card', next: 'Take full payment and call store IT.' },
  reference_taken: {
    title: 'The receipt number was used before',
    next: 'Enter another number, or leave the field empty.',
  },
  key_taken: { title: 'The POS program’s key was used before', next: takePayment },
  insufficient_balance: { title: 'Not enough on the card', next: 'Enter less, or take full payment.' },
  coupon_used: { title: 'This coupon was used before', next: takePayment },
  hold_expired: { title: 'The hold has expired', next: 'Hold again, then finish the order.' },
  hold_over: { title: 'The earlier hold is over', next: 'Nothing is held. To hold again, press once more.' },
  paid_in_full: {
    title: 'Full payment was chosen before',
    next: 'Take full payment. What was deducted is given back.',
  },
  invalid: { title: 'The loyalty service did not accept the sale', next: 'Take full payment and call store IT.' },
  changed_on_disk: { title: 'Changed on this till’s disk, so it was not sent', next: takePayment },
  other: { title: 'The loyalty service refused the sale', next: takePayment },
};
