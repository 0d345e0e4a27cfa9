import { deedWords } from '../../../shared/words/en.ts';

/** The customer's own past and next step. */
export const words = {
  title: 'Last five',
  asOf: (when: string) => `as of ${when}`,
  unknown: 'Needs connection',
  nothing: 'Nothing recorded yet',
  firstVisit: 'First visit',
  firstStep: (step: string) => `First visit: ${step}`,
  lastVisit: (when: string) => `Last visit ${when}`,
  balanceFrom: (when: string) => `Balance from ${when}`,
  onTheWay: (value: string) => `+ ${value} on the way`,
  toNext: deedWords.toNext,
  toNamed: deedWords.toNamed,
  readyWhenBack: (rewards: string) => `${rewards} when the connection is back`,
  /** What waits beside the sale: a POS program's amount, or a customer at the customers' screen. */
  beside: {
    handedOver: (amount: string) => `From the POS: ${amount}`,
    use: 'Use it',
    /** The program has withdrawn its amount, or the amount was used. */
    gone: { title: 'The amount from the POS is gone', next: 'Hand it over again, or type the amount.' },
    checkedIn: (phone: string) => `${phone} checked in`,
    show: 'Show customer',
    /** Somebody typed a phone at the customers' screen. Nobody knows whether it is theirs. */
    balanceHidden: 'Checked in. The customer screen hides the balance.',
    showBalance: 'Show balance',
  },
  otherNumberReason: 'The receipt number was used before, another one entered at the till',
  heldFor: (minutes: string, order: string) => `${minutes} minutes, order ${order}`,
  decide: {
    title: 'No answer yet',
    why: 'Choose what to do now. Tillbridge keeps asking the service.',
    takeFullPayment: 'Take full payment',
    takeFullPaymentNext: 'Tillbridge gives back what the service may have deducted.',
    giveIt: 'Give it',
    giveItNext: 'Tillbridge deducts the value when the connection is back.',
    chosen: { take_full_payment: 'Take full payment', give_it: 'Given to the customer' },
    chosenNext: {
      take_full_payment: 'The customer pays in full. Tillbridge corrects the card.',
      give_it: 'Tillbridge deducts the value when the connection is back.',
    },
  },
};
