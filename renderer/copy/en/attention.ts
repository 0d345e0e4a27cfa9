import type { RefusalReason } from '../../sale/outcome.ts';
import { countIn } from '../plural.ts';

const count = countIn('en');

export const words = {
  emptyTitle: 'Nothing needs attention',
  emptyNext:
    'Sales that the service refused appear here, until somebody has decided; also those whose outcome is long unknown.',
  failedTitle: 'The list could not be read',
  again: 'Try again',
  actions: {
    resend: 'Send again',
    ask: 'Ask now',
    replace: 'Send anew',
    write_off: 'Write off',
    correct: 'Correct',
    choose_card: 'Choose the card',
    keep: 'Keep it',
    take_back: 'Take it back',
  },
  explained: {
    resend: 'It is sent again as it is. Do that when what was wrong has been put right at the service.',
    ask: 'The service is asked whether it has it. If not, it is sent again as it is.',
    replace: 'It is sent as a new one, with a new reference.',
    write_off: 'It is given up: the customer gets nothing for it.',
    correct: 'It is sent again under the same reference, with what you change here.',
    keep: 'It stays as it stands at the service, and counts as done. Do not enter it a second time.',
    take_back: 'It is reversed at the service. Do that when it was entered a second time, or paid in full.',
  },
  reason: 'Reason',
  reasonNote: 'It stands in the history.',
  reasonMissing: 'Enter why.',
  pin: 'Manager’s PIN',

  /** What can be done about all that were refused alike. */
  mend: {
    customer_not_found:
      'The service knows no such card. Have it registered there and send these again, or write them off.',
    card_not_eligible:
      'That card does not take it. Choose another card of the customer if one does, or write the sale off.',
    card_choice_needed: 'The service cannot tell which card is meant. Choose it for each sale.',
    currency_mismatch:
      'That card is in another currency. Choose another card of the customer if one fits, or write the sale off.',
    outside_window: 'They reached the service too late. Ask the loyalty provider to let them in, then send them again.',
    mechanics_unknown:
      'The service does not know how that card works. Once the loyalty provider has set it up, send these again.',
    reference_taken: 'The receipt number stands for another sale at the service. Write it off and take the sale again.',
    changed_on_disk: 'Compare it with the receipt. Then send it again as it is, or write it off.',
    insufficient_balance: 'The card did not hold enough. Write it off once the shop has settled it.',
    coupon_used: 'The coupon had been used before. Write it off once the shop has settled it.',
    invalid: 'The service did not accept what was sent. Correct it, or call store IT.',
    other: 'Look at the history in Activity, or call store IT.',
  } satisfies Record<RefusalReason, string>,
  unknownTitle: 'Outcome not known yet',
  unknown: 'The answer was lost. The till asks by itself until it knows; without a connection there is nothing to do.',
  found: {
    stands: {
      title: 'Stands at the service after all',
      mend: 'These arrived late: the till had said that they were not done. Keep each, or take it back.',
    },
    earlier_version: {
      title: 'Stands at the service as it was before the correction',
      mend: 'What was sent first arrived late, and counts. Keep each so, or take it back and take the sale again.',
    },
  },
  notAppliedTitle: 'Not applied by the service',
  notApplied: 'The service took these and then could not apply them. Send them anew, or write them off.',

  chooseAll: (written: string) => `All ${written}`,
  choose: (what: string) => `Choose ${what}`,
  showMore: (written: string) => `Show ${written} more`,
  someUnread: (written: string) => `The oldest ${written} are listed. The others follow as these are decided.`,
  bulk: {
    resend: (value: number, written: string) => count(value, written, { one: 'Send # again', other: 'Send # again' }),
    replace: (value: number, written: string) => count(value, written, { one: 'Send # anew', other: 'Send # anew' }),
    explained: {
      resend: 'They are sent again as they are. Do that when what was wrong has been put right at the service.',
      replace: 'Each is sent as a new one, with a new reference.',
    },
    underWay: (done: string, of: string) => `${done} of ${of}`,
    stop: 'Stop',
    stopping: 'Stopping',
    stopNote: 'If you stop, the rest stays as it is.',
    doneTitle: (value: number, written: string) =>
      count(value, written, { one: '# is on its way', other: '# are on their way' }),
    doneNext: 'What is refused once more appears here again.',
    notDone: (value: number, written: string) =>
      count(value, written, { one: '# could not be sent', other: '# could not be sent' }),
    notDoneNext: 'It has gone on meanwhile, or cannot be sent now. It stays in the list.',
    left: (value: number, written: string) => count(value, written, { one: '# was left', other: '# were left' }),
    close: 'Done',
  },

  correct: {
    title: 'Correct and send again',
    value: { money: 'Amount', points: 'Points', stamps: 'Stamps', visits: 'Visits' },
    wasValue: (value: string) => `It was ${value}`,
    cards: 'Card',
    reading: 'Asking the service for the customer’s cards',
    none: 'None of the customer’s cards takes it',
    noneNext: 'Write it off, or have a card issued to the customer and look again.',
    others: (value: number, written: string) =>
      count(value, written, { one: '# other card does not take it', other: '# other cards do not take it' }),
    unread: {
      offline: {
        title: 'The cards cannot be read now',
        next: 'There is no connection. Try again when the line is back.',
      },
      customer_not_found: {
        title: 'The service does not know this customer',
        next: 'Have the card registered there, then try again.',
      },
      refused: { title: 'The service did not tell the cards', next: 'Try again, or call store IT.' },
      other: { title: 'The cards cannot be read now', next: 'Try again.' },
    },
    lookAgain: 'Try again',
    cardMissing: 'Choose the card.',
    nothingChanged: 'Choose another card, or change the value.',
    confirm: 'Send again',
  },
};

export type AttentionWords = typeof words;
