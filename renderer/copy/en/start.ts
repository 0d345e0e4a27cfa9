import type { CardOperation, CardTypeName } from '../../../shared/contract/card-names.ts';
import type { TillErrorCode } from '../../../shared/till/api.ts';
import type { Dimension } from '../../../shared/till/balances.ts';
import type { FaultType } from '../../../shared/till/lab-names.ts';
import { connectionWords as glossary } from '../../../shared/till/state-words.ts';
import type { ConnectionState } from '../../../shared/till/views.ts';
import { deedWords } from '../../../shared/words/en.ts';
import { countIn } from '../../../shared/words/plural.ts';
import type { LookUpKind } from '../../find/shape.ts';
import type { Unavailable } from '../../operation/operations.ts';
import type { Advice } from '../advice.ts';
import { entryWords } from './entry-words.ts';
import { outcomes } from './outcomes.ts';

const count = countIn('en');
const connectionWords = glossary.en;

/**
 * Every word on the screen. Cashiers read them with a queue in front of them, so the words are short and simple.
 * `copy/ar` has the same shape: a missing word does not compile. Numbers come already written.
 */
export const words = {
  otherLanguage: (language: string) => `Switch to ${language}`,

  screens: {
    sale: 'Sale',
    activity: 'Activity',
    attention: 'Needs attention',
    'day-close': 'Day close',
    settings: 'Settings',
    diagnostics: 'Diagnostics',
    lab: 'Sandbox lab',
  },

  frame: {
    more: 'More',
    menu: 'Screens',
    help: 'Help and keys',
    practiceShift: 'Practice shift',
    back: 'Back to the sale',
    sandbox: 'SANDBOX',
    sandboxDetail: 'Practice mode. Nothing here reaches real customers.',
    connection: 'Connection',
    reconnecting: 'Reconnecting to Tillbridge',
    reconnectingNext: 'Wait a moment',
    gone: {
      title: 'Reconnecting to Tillbridge',
      next: 'Nothing can be saved until Tillbridge is back. Keep the receipts.',
    },
    starting: 'Starting',
    waiting: (value: number, written: string) => count(value, written, { other: '# waiting' }),
    attention: (value: number, written: string) =>
      count(value, written, { one: '# needs attention', other: '# need attention' }),
    oldest: (age: string, window: string) => `oldest ${age} of ${window}`,
    nearlyTooOld: 'Call store IT. Sales are saved.',
    underMinute: 'under 1 min',
    minutes: (value: number, written: string) => count(value, written, { other: '# min' }),
    hours: (value: number, written: string) => count(value, written, { other: '# h' }),
    /** The connection works, but the service refused many sales in a row for the same reason. */
    held: 'Sales wait: many were refused',
    queue: 'Queue',
    notices: 'Notices',
    time: 'Time',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  },

  cashier: {
    title: 'Who is selling?',
    badge: 'Badge',
    hint: 'Or type the number of your badge.',
    scan: 'Scan your badge',
    scanOrName: 'Scan your badge, or press your name',
    names: 'Cashiers with a PIN',
    pinOf: (name: string) => `PIN of ${name}`,
    pinHint: '4 to 12 digits',
    pinKeys: 'Keys for the PIN',
    back: 'Back',
    sellsNow: (name: string) => `${name} sells now`,
    signIn: 'Sign in',
    signOut: (name: string) => `Sign out ${name}`,
    switch: 'Switch cashier',
    lock: 'Lock the screen',
    lockedTitle: 'Locked',
    neededTitle: 'Sign in to sell',
    waits: 'Nothing is lost. Sales that wait go on being sent.',
    tooSoon: 'The screen had just locked. Scan the badge again.',
  },

  /** On the sandbox's banner, while something is changed in the sandbox controls. */
  lab: {
    faults: {
      offline: 'No connection',
      drop_request: 'Calls get lost',
      drop_response: 'Answers get lost',
      delay: 'Slow connection',
      error: 'The service answers errors',
      partial_response: 'Answers break off',
      malformed_response: 'Answers make no sense',
    } satisfies Record<FaultType, string>,
    manyFaults: (value: number, written: string) => count(value, written, { other: '# faults are on' }),
    held: 'Clock stopped',
    ahead: (time: string) => `Clock ${time} ahead`,
  },

  connection: {
    online: { title: () => connectionWords.online, next: 'Sales are sent at once' },
    checking: { title: () => connectionWords.checking, next: 'Keep selling' },
    offline: {
      title: (since: string) => `${connectionWords.offline} since ${since}`,
      next: 'Keep selling. Sales are saved.',
    },
    key_refused: { title: () => connectionWords.key_refused, next: 'Call store IT. Sales are saved.' },
    suspended: { title: () => connectionWords.suspended, next: 'Call the loyalty provider. Sales are saved.' },
    clock_wrong: { title: () => connectionWords.clock_wrong, next: 'Set the date and time' },
  } satisfies Record<ConnectionState, { title: (since: string) => string; next: string }>,

  find: {
    title: 'Find',
    label: 'Scan or type a card, phone or e-mail',
    placeholder: 'Card, phone, e-mail',
    submit: 'Find',
    clear: 'Clear',
    keypad: 'Keypad',
    enroll: 'New customer',
    takenFor: 'Taken for',
    kinds: { card: 'Card', phone: 'Phone', email: 'E-mail' } satisfies Record<LookUpKind, string>,
    unclear: 'Not a card, phone or e-mail',
    unclearNext: 'Check what you typed, or choose Card, Phone or E-mail.',
    notACard: (code: string) => `${code} is not a loyalty card. Scan the customer’s card.`,
  },

  customer: {
    region: 'Customer',
    nameless: 'Customer',
    verified: 'Verified',
    notVerified: 'Not verified',
    cards: 'Cards',
    noCards: 'No card yet',
    noCardsNext: 'This customer has no loyalty card.',
    searching: 'Looking for the customer',
    emptyTitle: 'Scan a card to begin',
    emptyNext: 'The customer’s name, cards and rewards will appear here.',
    emptySandbox: 'Sandbox: scan a practice card, or type its number.',
    practice: 'Sandbox: try the card of a practice customer.',
    next: 'Next customer',
    strangerCard: 'Card number',
  },

  cardTypes: {
    Stamp: 'Stamp card',
    Cashback: 'Cashback',
    Subscription: 'Subscription',
    Coupon: 'Coupon',
    Discount: 'Discount',
    Certificate: 'Gift certificate',
    Membership: 'Membership',
    Reward: 'Rewards',
  } satisfies Record<CardTypeName, string>,
  unknownCardType: 'Card',
  /** The word beside a balance, when the number is separate. */
  balanceUnits: deedWords.units,
  /** A balance or an amount in one phrase. */
  amounts: {
    cashback: (_value: number, written: string) => `${written} cashback`,
    ...deedWords.counts,
    rewards: (value: number, written: string) =>
      count(value, written, { one: '# reward ready', other: '# rewards ready' }),
  } satisfies Record<Dimension, (value: number, written: string) => string>,
  /** Stands behind the number of stamps that the card has. `written`: the goal as it is written. */
  ofStamps: (_goal: number, written: string) => `of ${written} stamps`,
  noBalance: 'No balance',

  operations: {
    group: 'Operations',
    others: 'Other',
    emptyTitle: 'No customer yet',
    emptyNext: 'The operations of the customer’s card appear here.',
    none: 'This card allows no operation now.',
    names: {
      earn_amount: 'Earn on purchase',
      earn_points: 'Add points',
      earn_stamp: 'Add stamps',
      earn_visit: 'Add a visit',
      redeem_amount: 'Spend cashback',
      redeem_points: 'Spend points',
      redeem_stamp: 'Use stamps',
      redeem_visit: 'Use a visit',
      redeem_reward: 'Give reward',
      redeem_coupon: 'Use coupon',
    } satisfies Record<CardOperation, string>,
    unavailable: {
      needs_connection: 'Needs connection',
      checking: 'Checking, do not repeat',
      unknown_operation: 'Needs a newer version',
    } satisfies Record<Unavailable, string>,
  },

  ...entryWords,

  /** Errors of the agent's answers, where the screen has no closer words. */
  errors: {
    invalid: { title: 'This was not accepted', next: 'Check what you entered.' },
    customer_not_found: { title: 'No such customer', next: 'Check the number with the customer.' },
    offline: { title: 'There is no connection', next: 'Try again when the connection is back.' },
    refused: { title: 'The loyalty service refused this', next: 'Check what you entered, or call store IT.' },
    reference_taken: {
      title: 'Another sale has this receipt number',
      next: 'Check the receipt number, or leave it empty.',
    },
    looks_like_a_repeat: { title: 'This looks like the same sale again', next: 'Press again only for a new sale.' },
    looks_large: { title: 'This is a large amount', next: 'Check the amount with the customer, then press again.' },
    above_limit: { title: 'Above the limit of this till', next: 'Enter a smaller amount.' },
    not_saved: {
      title: 'Not saved',
      next: 'The disk could not be written. Keep the receipt, call store IT.',
    },
    queue_full: { title: 'Not saved: too many sales are waiting', next: 'Keep the receipt and call store IT.' },
    cannot_cancel: { title: 'Too late to undo', next: 'Look at the state of the sale in Recent.' },
    not_sent: {
      title: 'Not done: the service cannot be reached',
      next: 'Nothing was deducted. Try again, or take full payment.',
    },
    books_unread: { title: 'Outcome not known yet', next: 'Do not repeat the sale. Look again in a minute.' },
    irreversible: { title: 'This cannot be undone', next: 'Coupons and rewards are given once.' },
    not_now: { title: 'The state has changed meanwhile', next: 'Look at the state now, then decide.' },
    pin_needed: { title: 'A manager must confirm this', next: 'Ask a manager for the PIN.' },
    pin_wrong: { title: 'Wrong PIN', next: 'Enter the PIN again.' },
    pin_locked: { title: 'Too many wrong PINs', next: 'Wait a few minutes, then enter the PIN again.' },
    answered_for_another: { title: 'The service answered for another customer', next: 'Try again.' },
    people_changed: { title: 'No manager can confirm this', next: 'Call store IT: the list of people was changed.' },
    people_unread: { title: 'No manager can confirm this', next: 'Call store IT: the list of people cannot be read.' },
    sign_in_needed: { title: 'Sign in first', next: 'Sign in with your badge or PIN, then try again.' },
    locked: { title: 'The screen is locked', next: 'Scan your badge or enter your PIN, then try again.' },
    badge_locked: {
      title: 'Too many unknown badges',
      next: 'Wait a few minutes, then scan the badge again. Keep selling.',
    },
    badge_unknown: { title: 'This badge is not known here', next: 'Scan the badge again, or ask a manager.' },
    operation_not_found: {
      title: 'This sale is not on this till',
      next: 'Look for the sale on the till that saved it.',
    },
    no_lab: { title: 'This till has no sandbox', next: 'This till is connected to another service.' },
    lab_refused: { title: 'The sandbox did not accept this', next: 'Check what you entered.' },
    agent_gone: {
      title: 'No answer from Tillbridge',
      next: 'Press the button again. The sale counts once.',
    },
  } satisfies Record<TillErrorCode, Advice>,
  /** What to do while no PIN or badge is accepted, for that many minutes. */
  waitThen: {
    pin_locked: (minutes: number, written: string) =>
      count(minutes, written, {
        one: 'Wait # minute, then enter the PIN again.',
        other: 'Wait # minutes, then enter the PIN again.',
      }),
    badge_locked: (minutes: number, written: string) =>
      count(minutes, written, {
        one: 'Wait # minute, then scan the badge again. Keep selling.',
        other: 'Wait # minutes, then scan the badge again. Keep selling.',
      }),
  },

  ...outcomes,

  recent: {
    region: 'Recent',
    all: 'All',
    /** For a redemption with an unknown outcome. */
    checking: (what: string) => `Checking: ${what}`,
    /** How many times the same sale was tried. */
    tries: (value: number, written: string) => count(value, written, { one: '# try', other: '# tries' }),
    /** An earn is removed from the card again; what was spent goes back to the card. */
    undoing: {
      sale: {
        ask: (amount: string, who: string | null) =>
          who === null ? `Undo the sale of ${amount}?` : `Undo the sale of ${amount} for ${who}?`,
        yes: (_amount: string) => 'Undo the sale',
        underWay: 'Being undone',
      },
      earn: {
        ask: (amount: string, who: string | null) =>
          who === null ? `Take ${amount} back?` : `Take ${amount} back from ${who}?`,
        yes: (amount: string) => `Take ${amount} back`,
        underWay: 'Being undone',
      },
      spend: {
        ask: (amount: string, who: string | null) =>
          who === null ? `Give ${amount} back?` : `Give ${amount} back to ${who}?`,
        yes: (amount: string) => `Give ${amount} back`,
        underWay: 'Being given back',
      },
    },
    discountEnds: (money: string) => `The discount of ${money} falls away.`,
    undoNo: 'Keep',
    close: 'Back',
    emptyTitle: 'No sales yet',
    emptyNext: 'The latest sales of this till appear here.',
    undo: 'Undo',
    /** What was done, in a row of a list: verb and value. */
    did: deedWords.did,
    otherIntents: {
      redeem: 'Reward or coupon',
      reverse: 'Reversal',
      enroll: 'Enrollment',
      verify: 'New customer',
      reserve: 'Held',
      commit: 'Hold spent',
      release: 'Hold released',
    },
  },
};

/** The words of one language. */
export type Words = typeof words;
