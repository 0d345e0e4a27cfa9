import { deedWords } from '../../../shared/words/en.ts';
import type { LookUpKind } from '../../find/shape.ts';
import type { NotTakenReason } from '../../sale/outcome/passed.ts';

/** The customer's own past and next step. */
export const words = {
  title: 'Last five',
  /** The customer's card was scanned, and it may be any of several. */
  chooseCard: 'Choose the card that the customer showed.',
  asOf: (when: string) => `as of ${when}`,
  unknown: 'Needs connection',
  nothing: 'Nothing recorded yet',
  firstVisit: 'First visit',
  firstStep: (step: string) => `First visit: ${step}`,
  lastVisit: (when: string) => `Last visit ${when}`,
  balanceFrom: (when: string) => `Balance from ${when}`,
  onTheWay: (value: string) => `+ ${value} on the way`,
  /** Why an undo was not done, or that nobody knows. */
  undoNotSent: {
    title: 'Not reversed: the service cannot be reached',
    next: 'Nothing has changed. Undo it when the connection is back.',
  },
  undoUnanswered: 'It may be reversed already. Press again: it is reversed only once.',
  toNext: deedWords.toNext,
  toNamed: deedWords.toNamed,
  readyWhenBack: (rewards: string) => `${rewards} when the connection is back`,
  /** Why nobody was found, and what to do. */
  nobody: {
    missing: {
      card: 'No customer with this card',
      phone: 'No customer with this phone',
      email: 'No customer with this e-mail',
    } satisfies Record<LookUpKind, string>,
    missingNext: 'Check with the customer, or enroll the customer now.',
    missingCardNext: 'Check the number, enroll the customer, or earn by card number.',
    offline: {
      card: 'This card is not saved on this till',
      phone: 'Finding a phone needs connection',
      email: 'Finding an e-mail needs connection',
    } satisfies Record<LookUpKind, string>,
    offlineNext: 'Scan the customer’s card instead.',
    offlineCardNext: 'Earn by card number. Tillbridge sends the sale later.',
    another: 'The service answered for another customer',
    anotherNext: 'Tillbridge asked twice. Nobody was chosen. Try again.',
    failed: 'The customer could not be found now',
    failedNext: 'Try again, or scan the card.',
    failedCardNext: 'Try again, or earn by the card number.',
    earnByCard: 'Earn by card number',
    again: 'Try again',
  },
  /** News of the last customer, while the next one is in front. */
  passed: {
    line: (amount: string, who: string, state: string) => `${amount} for ${who}: ${state}`,
    notTaken: {
      nobody: (amount: string) => `${amount} was not taken: the customer was not found.`,
      cannot_earn: (amount: string) => `${amount} was not taken: this card earns nothing.`,
    } satisfies Record<Exclude<NotTakenReason, 'left'>, (amount: string) => string>,
    /** Stands before news that cover the name of the customer in front. */
    isFor: (who: string) => `This sale is for ${who}.`,
  },
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
    takeFullPaymentNext: 'What the service may have deducted is given back.',
    giveIt: 'Give it',
    giveItNext: 'Tillbridge deducts the value when the connection is back.',
    chosen: { take_full_payment: 'Take full payment', give_it: 'Given to the customer' },
    chosenNext: {
      take_full_payment: 'The customer pays in full. The card is corrected.',
      give_it: 'Tillbridge deducts the value when the connection is back.',
    },
  },
};
