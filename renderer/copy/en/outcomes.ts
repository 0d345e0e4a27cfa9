import type { OperationState } from '../../../shared/machines/operation.ts';
import type { HoldState } from '../../../shared/till/hold-views.ts';
import type { Dimension } from '../../sale/balances.ts';
import type { OutcomeStep } from '../../sale/outcome.ts';

import { refusals, spendRefusals } from './refusals.ts';

/** The words for what becomes of what was taken: a part of `en`. */
export const outcomes = {
  outcome: {
    region: 'Outcome',
    reference: 'Reference',
    steps: { saved: 'Saved', sent: 'Sent', applied: 'Applied' } satisfies Record<OutcomeStep, string>,
    now: (balance: string) => `${balance} now`,
    onTheWay: {
      cashback: 'Cashback on the way',
      points: 'Points on the way',
      stamps: 'Stamps on the way',
      visits: 'Visit on the way',
      rewards: 'Reward on the way',
    } satisfies Record<Dimension, string>,
    onTheWayPlain: 'On the way to the card',
    savedOffline: 'It goes out by itself when the line is back.',
    savedStopped: 'It goes out by itself once this is put right.',
    keep: 'Keep on screen',
    duplicate: (amount: string) => `This sale had been saved already, with ${amount}. It counts once.`,
  },

  /** Every state of an operation: `label` in lists, `title` and `detail` right after the sale. */
  states: {
    queued: { label: 'Saved', title: 'Saved', detail: 'Waiting to be sent' },
    sending: { label: 'Sending', title: 'Saved', detail: 'Sending now' },
    unknown: { label: 'Checking', title: 'Saved', detail: 'Checking, do not repeat' },
    accepted: { label: 'Sent', title: 'Sent', detail: 'On the way to the card' },
    applied: { label: 'Applied', title: 'Applied', detail: 'On the card' },
    refused: { label: 'Refused', title: 'Refused', detail: 'Needs attention' },
    failed: { label: 'Not applied', title: 'Not applied', detail: 'Needs attention' },
    cancelled: { label: 'Undone', title: 'Undone', detail: 'Never sent' },
    reversed: { label: 'Taken back', title: 'Taken back', detail: 'Taken off the card' },
    written_off: { label: 'Written off', title: 'Written off', detail: 'Closed by a manager' },
  } satisfies Record<OperationState, { label: string; title: string; detail: string }>,

  refusals,
  spendRefusals,

  /** Every state of a redemption, right after it: nothing of it waits, it is done or it is not. */
  spendStates: {
    queued: { title: 'Checking', detail: 'Do not repeat it' },
    sending: { title: 'Checking', detail: 'Do not repeat it' },
    unknown: { title: 'Checking', detail: 'Do not repeat it' },
    accepted: { title: 'Done', detail: 'Taken off the card' },
    applied: { title: 'Done', detail: 'Taken off the card' },
    refused: { title: 'Not done', detail: 'Nothing was taken' },
    failed: { title: 'Not done', detail: 'Nothing was taken' },
    cancelled: { title: 'Not done', detail: 'Nothing was taken' },
    reversed: { title: 'Given back', detail: 'Back on the card' },
    written_off: { title: 'Not done', detail: 'Closed by a manager' },
  } satisfies Record<OperationState, { title: string; detail: string }>,

  /** Every state of what takes an operation back. */
  reversalStates: {
    queued: 'Saved',
    sending: 'Sending',
    unknown: 'Checking',
    accepted: 'Sent',
    applied: 'Done',
    refused: 'Refused',
    failed: 'Not done',
    cancelled: 'Not needed',
    reversed: 'Done',
    written_off: 'Written off',
  } satisfies Record<OperationState, string>,

  decide: {
    title: 'The answer has not come',
    why: 'Choose what happens at the till; the service is asked until it is known.',
    takeFullPayment: 'Take full payment',
    takeFullPaymentNext: 'It will not be sent again. Should it count after all, it is taken back by itself.',
    giveIt: 'Give it',
    giveItNext: 'It is finished by itself when the line is back.',
    chosen: { take_full_payment: 'Take full payment', give_it: 'It is given' },
    chosenNext: {
      take_full_payment: 'The customer pays in full. The card is put right by itself.',
      give_it: 'Give it to the customer. It is finished by itself.',
    },
  },

  /** Held for an order that is not paid yet. */
  holds: {
    button: 'Hold for an order',
    region: 'Held for orders',
    states: { asking: 'Checking', reserved: 'Held', closing: 'Checking', expired: 'Run out' } satisfies Record<
      HoldState,
      string
    >,
    closing: { commit: 'Being spent', release: 'Being let go' },
    actions: {
      commit: 'Order paid',
      release: 'Let go',
      again: 'Hold again',
      drop: 'Remove',
      ask: 'Ask again',
      giveUp: 'Give up',
    },
    ranOut: { title: 'The hold has run out', next: 'Hold it again, then take the order.' },
  },
};

export type OutcomeWords = typeof outcomes;
