import { countIn } from '../../../shared/words/plural.ts';
import type { RefusalReason } from '../../operation/outcome.ts';

const count = countIn('en');

export const words = {
  emptyTitle: 'Nothing needs attention',
  emptyNext: 'Refused and failed sales appear here until somebody decides.',
  failedTitle: 'The list could not be read',
  again: 'Try again',
  actions: {
    resend: 'Retry',
    ask: 'Check now',
    replace: 'Send as new',
    write_off: 'Write off',
    correct: 'Correct',
    choose_card: 'Choose the card',
    keep: 'Keep',
    take_back: 'Reverse',
  },
  explained: {
    resend: 'Retry after the service has solved the problem. Tillbridge sends the sale unchanged.',
    ask: 'Tillbridge asks the service for the sale. If missing, Tillbridge sends the sale again.',
    replace: 'Tillbridge sends a new sale with a new reference.',
    write_off: 'The sale is never sent. The customer gets nothing for it.',
    correct: 'Tillbridge sends your changes under the same reference.',
    keep: 'The service has the sale. Do not enter the sale again.',
    take_back: 'Reverse a sale that was entered twice, or paid in full.',
  },
  reason: 'Reason',
  reasonNote: 'Saved in the history.',
  reasonMissing: 'Enter a reason.',
  pin: 'Manager’s PIN',

  /** What to do about all sales that were refused for one reason. */
  mend: {
    customer_not_found: 'Register the customer at the service. Then retry or write off.',
    card_not_eligible: 'This card does not allow this. Use another card, or write off.',
    card_choice_needed: 'Choose the card for each sale.',
    currency_mismatch: 'This card is in another currency. Use another card, or write off.',
    outside_window:
      'The sending deadline has passed, or the till had a wrong date: then call store IT. Else ask the loyalty provider to accept these sales, then retry.',
    mechanics_unknown: 'The service does not know this kind of card. Call the loyalty provider, then retry.',
    reference_taken: 'Send the sale under another number.',
    key_taken: 'Send the sale as new. Call store IT: each sale needs a key of its own.',
    changed_on_disk: 'Compare with the receipt. Then retry or write off.',
    insufficient_balance: 'The balance was too small. Settle with the customer, then write off.',
    coupon_used: 'The coupon was used before. Settle with the customer, then write off.',
    hold_expired: 'The hold has expired. Settle with the customer, then write off.',
    hold_over: 'The hold is over. Settle with the customer, then write off.',
    paid_in_full: 'Full payment was chosen before. Settle with the customer, then write off.',
    invalid: 'The service did not accept the values. Correct the amount, or call store IT.',
    other: 'Look at the history in Activity, or call store IT.',
  } satisfies Record<RefusalReason, string>,
  unknownTitle: 'Outcome not known yet',
  unknown: 'The answer was lost. Tillbridge asks the service again when connected. Wait.',
  found: {
    stands: {
      title: 'Arrived at the service late',
      mend: 'The till showed these as not completed. They may be another till’s: ask there first.',
    },
    earlier_version: {
      title: 'Arrived at the service without the correction',
      mend: 'The uncorrected sale arrived. Keep the sale, or reverse and enter the sale again.',
    },
  },
  notAppliedTitle: 'Failed at the service',
  notApplied: 'The service accepted these sales, then could not complete them. Send as new, or write off.',

  chooseAll: (written: string) => `All ${written}`,
  choose: (what: string) => `Choose ${what}`,
  showMore: (written: string) => `Show ${written} more`,
  someUnread: (written: string) => `The oldest ${written} are listed. Decide these to see the others.`,
  bulk: {
    resend: (value: number, written: string) => count(value, written, { one: 'Retry #', other: 'Retry #' }),
    replace: (value: number, written: string) =>
      count(value, written, { one: 'Send # as new', other: 'Send # as new' }),
    explained: {
      resend: 'Retry after the service has solved the problem. Tillbridge sends the sales unchanged.',
      replace: 'Tillbridge sends each sale as new, with a new reference.',
    },
    underWay: (done: string, of: string) => `${done} of ${of}`,
    stop: 'Stop',
    stopping: 'Stopping',
    stopNote: 'If you stop, the other sales stay in the list.',
    doneTitle: (value: number, written: string) =>
      count(value, written, { one: '# waiting to send', other: '# waiting to send' }),
    doneNext: 'Sales that are refused again appear here again.',
    notDone: (value: number, written: string) =>
      count(value, written, { one: '# could not be sent', other: '# could not be sent' }),
    notDoneNext: 'The state has changed, or sending is not possible now.',
    left: (value: number, written: string) => count(value, written, { one: '# not sent', other: '# not sent' }),
    close: 'Done',
  },

  correct: {
    title: 'Correct and retry',
    value: { money: 'Amount', points: 'Points', stamps: 'Stamps', visits: 'Visits' },
    wasValue: (value: string) => `Before: ${value}`,
    cards: 'Card',
    reading: 'Asking the service for the customer’s cards',
    none: 'No card of the customer allows this',
    noneNext: 'Write off, or issue a card to the customer and try again.',
    others: (value: number, written: string) =>
      count(value, written, { one: '# other card does not allow this', other: '# other cards do not allow this' }),
    unread: {
      offline: {
        title: 'The cards cannot be read now',
        next: 'There is no connection. Try again when the connection is back.',
      },
      customer_not_found: {
        title: 'The service does not know this customer',
        next: 'Register the customer at the service, then try again.',
      },
      refused: { title: 'The service did not list the cards', next: 'Try again, or call store IT.' },
      other: { title: 'The cards cannot be read now', next: 'Try again.' },
    },
    lookAgain: 'Try again',
    cardMissing: 'Choose the card.',
    nothingChanged: 'Choose another card, or change the value.',
    confirm: 'Retry',
  },
};

export type AttentionWords = typeof words;
