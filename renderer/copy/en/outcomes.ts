import type { OperationState } from '../../../shared/machines/operation.ts';
import type { Dimension } from '../../../shared/till/balances.ts';
import type { HoldState } from '../../../shared/till/hold-views.ts';
import { stateWords as glossary } from '../../../shared/till/state-words.ts';
import { deedWords } from '../../../shared/words/en.ts';
import type { OutcomeKind, OutcomeStep } from '../../operation/outcome.ts';
import { refusals, spendRefusals } from './refusals.ts';

const stateWords = glossary.en;

/** The words for the outcome of a sale: a part of `en`. */
export const outcomes = {
  outcome: {
    region: 'Outcome',
    reference: 'Reference',
    steps: { saved: 'Saved', sent: 'Sent', applied: 'Completed' } satisfies Record<OutcomeStep, string>,
    /** Beside the icon: the kind of news. */
    kinds: {
      saved: 'Saved on this till',
      sent: 'Sent',
      added: 'Added',
      spent: 'Spent',
      used: 'Used',
      given: 'Hand over now',
      coupon: 'Coupon accepted',
      before: 'Saved before',
    } satisfies Record<OutcomeKind, string>,
    doNotRepeat: (value: string) => `${value}: do not repeat`,
    /** The amount and its customer, when the sentence below says what became of it. */
    valueFor: (value: string, who: string) => `${value} for ${who}`,
    /** Shown in front of a customer: what was added to the card. */
    plus: deedWords.plus,
    added: (value: string) => `${value} added`,
    visitAdded: 'Visit counted',
    /** Shown in front of a customer: what was taken from the card. */
    off: (money: string) => `${money} off`,
    spent: (value: string) => `${value} spent`,
    used: (value: string) => `${value} used`,
    visitUsed: 'Let them in',
    couponUsed: 'Used up',
    now: deedWords.now,
    toSpend: (money: string) => `${money} to spend now`,
    /** What comes later. */
    inAMoment: {
      cashback: 'Cashback in a moment',
      points: 'Points in a moment',
      stamps: 'Stamps in a moment',
      visits: 'The visit in a moment',
      rewards: 'The reward in a moment',
    } satisfies Record<Dimension, string>,
    inAMomentPlain: 'On the card in a moment',
    whenBack: {
      cashback: 'Cashback follows when the connection is back',
      points: 'Points follow when the connection is back',
      stamps: 'Stamps follow when the connection is back',
      visits: 'The visit follows when the connection is back',
      rewards: 'The reward follows when the connection is back',
    } satisfies Record<Dimension, string>,
    whenBackPlain: 'Tillbridge sends the sale when the connection is back.',
    savedStopped: 'Tillbridge sends the sale once the problem is solved.',
    rewardReady: 'A reward is ready',
    notAdded: 'Not added',
    notSpent: 'Not spent',
    notGiven: 'Not given',
    nothingSent: 'Nothing was sent',
    reversed: (value: string) => `${value} reversed`,
    givenBack: (value: string) => `${value} given back`,
    /** An earlier press did it, and its answer was lost. */
    byEarlierPress: {
      spent: 'Deducted by an earlier press. Nothing more was deducted.',
      givenBack: 'Deducted by an earlier press, then given back. Nothing is deducted now.',
      given: 'Counted by an earlier press. Hand over once.',
      held: 'Held by an earlier press. Nothing more was held.',
    },
    duplicate: (amount: string) => `Already saved with ${amount}. The sale counts once.`,
  },

  /** Below a refusal. */
  nextSteps: {
    otherCard: (card: string) => (/\bcard$/i.test(card) ? `Use the ${card}` : `Use the ${card} card`),
    otherCardReason: 'Refused by the first card, another one chosen at the till',
    amount: 'Correct the amount',
    receipt: 'Another receipt no.',
    full_price: 'Full price',
    later: 'Do it later',
  },

  /** Every state of an operation, right after the sale. The words for lists are in the glossary. */
  states: {
    queued: { title: 'Saved', detail: 'Waiting to send' },
    sending: { title: 'Saved', detail: 'Sending now' },
    unknown: { title: 'Saved', detail: 'Checking, do not repeat' },
    accepted: { title: 'Sent', detail: 'On the way to the card' },
    applied: { title: stateWords.applied, detail: 'The card has the new balance' },
    refused: { title: stateWords.refused, detail: 'Needs attention' },
    failed: { title: stateWords.failed, detail: 'Needs attention' },
    cancelled: { title: stateWords.cancelled, detail: 'Never sent' },
    reversed: { title: stateWords.reversed, detail: 'Removed from the card' },
    written_off: { title: stateWords.written_off, detail: 'Closed by a manager' },
  } satisfies Record<OperationState, { title: string; detail: string }>,
  stateWords,

  refusals,
  spendRefusals,

  /** Every state of a redemption, right after it. A redemption never waits to be sent. */
  spendStates: {
    queued: { title: stateWords.unknown, detail: 'Do not repeat' },
    sending: { title: stateWords.unknown, detail: 'Do not repeat' },
    unknown: { title: stateWords.unknown, detail: 'Do not repeat' },
    accepted: { title: stateWords.applied, detail: 'Deducted from the card' },
    applied: { title: stateWords.applied, detail: 'Deducted from the card' },
    refused: { title: 'Not done', detail: 'Nothing was deducted' },
    failed: { title: 'Not done', detail: 'Nothing was deducted' },
    cancelled: { title: 'Not done', detail: 'Nothing was deducted' },
    reversed: { title: stateWords.reversed, detail: 'Given back to the card' },
    written_off: { title: 'Not done', detail: 'Closed by a manager' },
  } satisfies Record<OperationState, { title: string; detail: string }>,

  /** What is held for an unpaid order. */
  holds: {
    button: 'Hold for an order',
    act: (value: string) => `Hold ${value}`,
    order: 'Order no.',
    region: 'Held for orders',
    states: { asking: 'Checking', reserved: 'Held', closing: 'Checking', expired: 'Expired' } satisfies Record<
      HoldState,
      string
    >,
    closing: { commit: 'Being spent', release: 'Being released' },
    /** Every state of a hold that was just asked for. */
    after: {
      queued: { title: stateWords.unknown, detail: 'Do not repeat' },
      sending: { title: stateWords.unknown, detail: 'Do not repeat' },
      unknown: { title: stateWords.unknown, detail: 'Do not repeat' },
      accepted: { title: 'Held', detail: 'Held for the order' },
      applied: { title: 'Held', detail: 'Held for the order' },
      refused: { title: 'Not held', detail: 'Nothing was held' },
      failed: { title: 'Not held', detail: 'Nothing was held' },
      cancelled: { title: 'Not held', detail: 'Nothing was held' },
      reversed: { title: stateWords.reversed, detail: 'Nothing is held' },
      written_off: { title: 'Not held', detail: 'Closed by a manager' },
    } satisfies Record<OperationState, { title: string; detail: string }>,
    notSent: {
      making: 'Nothing was held. Try again, or take full payment.',
      ending: 'The hold stays as it was. Try again when the connection is back.',
    },
    actions: {
      commit: 'Order paid',
      release: 'Release',
      again: 'Hold again',
      drop: 'Remove',
      ask: 'Check again',
      giveUp: 'Stop checking',
    },
  },
};

export type OutcomeWords = typeof outcomes;
