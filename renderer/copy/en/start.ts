import type { CardOperation, CardTypeName } from '../../../shared/contract/card-names.ts';
import type { TillErrorCode } from '../../../shared/till/api.ts';
import type { FaultType } from '../../../shared/till/lab-names.ts';
import type { ConnectionState } from '../../../shared/till/views.ts';
import type { LookUpKind } from '../../find/shape.ts';
import type { Dimension } from '../../sale/balances.ts';
import type { EntryProblem } from '../../sale/entry.ts';
import type { Unavailable } from '../../sale/operations.ts';
import type { Advice } from '../advice.ts';
import { countIn } from '../plural.ts';
import { notices } from './notices.ts';
import { outcomes } from './outcomes.ts';

const count = countIn('en');

/**
 * Every word on the screen. Cashiers read it with a queue in front of them: short, theirs, no term of the trade.
 * `ar.ts` has the same shape; a word that is missing there does not compile. Numbers come already written.
 */
export const words = {
  product: 'Tillbridge',
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
    back: 'Back to the sale',
    sandbox: 'SANDBOX',
    sandboxDetail: 'Practice mode. Nothing here reaches real customers.',
    connection: 'Connection',
    reconnecting: 'Reconnecting to the agent',
    reconnectingNext: 'Wait a moment',
    gone: {
      title: 'Reconnecting to the agent',
      next: 'Nothing can be saved until it is back. It is tried again by itself; keep the receipts meanwhile.',
    },
    starting: 'Starting',
    waiting: (value: number, written: string) => count(value, written, { other: '# waiting' }),
    attention: (value: number, written: string) =>
      count(value, written, { one: '# needs attention', other: '# need attention' }),
    oldest: (age: string, window: string) => `oldest ${age} of ${window}`,
    nearlyTooOld: 'Call store IT; sales are saved',
    justNow: 'just now',
    underMinute: 'under 1 min',
    minutes: (value: number, written: string) => count(value, written, { other: '# min' }),
    hours: (value: number, written: string) => count(value, written, { other: '# h' }),
    /** The line works, but many sales in a row were refused alike. */
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
    hint: 'Scan your badge, or type its number.',
    signIn: 'Sign in',
    signOut: (name: string) => `Sign out ${name}`,
  },

  ...notices,

  /** On the sandbox's banner, while somebody has turned something in its lab. */
  lab: {
    faults: {
      offline: 'The line is cut',
      drop_request: 'Calls get lost',
      drop_response: 'Answers get lost',
      delay: 'Slow line',
      error: 'The service answers errors',
      partial_response: 'Answers break off',
      malformed_response: 'Answers make no sense',
    } satisfies Record<FaultType, string>,
    manyFaults: (value: number, written: string) => count(value, written, { other: '# faults are on' }),
    held: 'Clock held',
    ahead: (time: string) => `Clock ${time} ahead`,
  },

  connection: {
    online: { title: () => 'Online', next: 'Sales go out at once' },
    checking: { title: () => 'Checking', next: 'Keep selling' },
    offline: { title: (since: string) => `Offline since ${since}`, next: 'Keep selling; sales are saved' },
    key_refused: { title: () => 'Key refused', next: 'Call store IT; sales are saved' },
    suspended: { title: () => 'Suspended', next: 'Call head office; sales are saved' },
    clock_wrong: { title: () => 'Clock wrong', next: 'Set the date and time' },
  } satisfies Record<ConnectionState, { title: (since: string) => string; next: string }>,

  find: {
    title: 'Find',
    label: 'Scan or type a card, phone or e-mail',
    submit: 'Find',
    clear: 'Clear',
    keypad: 'Keypad',
    enroll: 'Enroll',
    takenFor: 'Taken for',
    kinds: { card: 'Card', phone: 'Phone', email: 'E-mail' } satisfies Record<LookUpKind, string>,
    ready: 'Ready to scan',
    unclear: 'This is no card, phone or e-mail',
    unclearNext: 'Check what was typed, or say what it is: Card, Phone or E-mail.',
    notACard: (code: string) => `${code} is not a loyalty card. Scan the customer's card.`,
  },

  customer: {
    region: 'Customer',
    nameless: 'Customer',
    verified: 'Verified',
    notVerified: 'Not verified',
    asOf: (relative: string, exact: string) => `Balances as of ${relative} · ${exact}`,
    kept: (relative: string) => `Kept on this till ${relative}`,
    keptNext: (exact: string) => `Balances as of ${exact}; they may have changed since.`,
    cards: 'Cards',
    noCards: 'No card yet',
    noCardsNext: 'This customer holds no loyalty card.',
    searching: 'Looking for the customer',
    emptyTitle: 'Scan a card to begin',
    emptyNext: "The customer's name, cards and rewards will appear here.",
    emptySandbox: 'This is the sandbox: scan the card of a practice customer, or type its number.',
    practice: 'This is the sandbox. Try the card of a practice customer:',
    next: 'Next customer',
    missing: {
      card: 'No customer with this card',
      phone: 'No customer with this phone',
      email: 'No customer with this e-mail',
    } satisfies Record<LookUpKind, string>,
    missingNext: 'Check it with the customer, or enroll them now.',
    missingCardNext: 'Check the number. Enroll the customer, or earn by the card number alone.',
    offline: {
      card: 'This card is not kept on this till',
      phone: 'A phone cannot be looked up offline',
      email: 'An e-mail cannot be looked up offline',
    } satisfies Record<LookUpKind, string>,
    offlineNext: "Scan the customer's card instead.",
    offlineCardNext: 'You can still earn by the card number; it goes out when the line is back.',
    failed: 'The customer could not be looked up',
    failedNext: 'Try again, or scan the card.',
    failedCardNext: 'Try again, or earn by the card number.',
    earnByCard: 'Earn by card number',
    again: 'Try again',
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
  /** The word beside a balance, where the number stands by itself. */
  balanceUnits: {
    cashback: () => 'cashback',
    points: (value: number) => count(value, '', { one: 'point', other: 'points' }),
    stamps: (value: number) => count(value, '', { one: 'stamp', other: 'stamps' }),
    visits: (value: number) => count(value, '', { one: 'visit', other: 'visits' }),
    rewards: (value: number) => count(value, '', { one: 'reward', other: 'rewards' }),
  } satisfies Record<Dimension, (value: number) => string>,
  /** A balance or an amount in one phrase. */
  amounts: {
    cashback: (_value: number, written: string) => `${written} cashback`,
    points: (value: number, written: string) => count(value, written, { one: '# point', other: '# points' }),
    stamps: (value: number, written: string) => count(value, written, { one: '# stamp', other: '# stamps' }),
    visits: (value: number, written: string) => count(value, written, { one: '# visit', other: '# visits' }),
    rewards: (value: number, written: string) =>
      count(value, written, { one: '# reward ready', other: '# rewards ready' }),
  } satisfies Record<Dimension, (value: number, written: string) => string>,
  stampsOf: (have: string, goal: string) => `${have} of ${goal} stamps`,
  ofStamps: (goal: string) => `of ${goal} stamps`,
  noBalance: 'No balance',

  operations: {
    group: 'Operations',
    emptyTitle: 'No customer yet',
    emptyNext: 'What their card can do shows here.',
    none: 'Nothing can be done with this card now.',
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

  entry: {
    labels: { money: 'Amount', points: 'Points', stamps: 'Stamps', visits: 'Visits' },
    receipt: 'Receipt number',
    receiptHint: 'Optional. Made by itself when empty.',
    confirm: 'Confirm',
    cancel: 'Cancel',
    change: 'Change',
    saving: 'Saving',
    asking: 'One moment',
    useAll: 'Use all',
    after: (balance: string) => `${balance} after it`,
    onlyOnCard: (balance: string) => `Only ${balance} on the card`,
    rewards: 'Reward',
    couponCode: 'Coupon code',
    couponHint: 'This card’s own code. Another coupon can be scanned.',
    once: 'Given once. It cannot be taken back.',
    keypad: 'Keypad',
    pin: 'Manager’s PIN',
    upTo: (limit: string) => `Up to ${limit}`,
    problems: {
      empty: 'Enter how much.',
      not_a_number: 'This is not a number. Use digits and one point.',
      too_many_decimals: 'Too many decimals.',
      negative: 'It must be above zero.',
      zero: 'It must be above zero.',
      too_large: 'This is too much.',
      unknown_currency: 'This currency is not known. Call store IT.',
      above_limit: 'Above the limit of this till.',
      whole_number_only: 'Whole numbers only.',
      choose_reward: 'Choose the reward.',
      no_code: 'Scan or enter the code.',
    } satisfies Record<EntryProblem, string>,
    tooManyDecimals: (decimals: string) => `At most ${decimals} decimals.`,
    aboveLimit: (limit: string) => `The limit of this till is ${limit}.`,
    receiptTooLong: 'At most 255 characters.',
    large: (amount: string) => ({
      title: `${amount}: is that right?`,
      next: 'It is more than usual. Confirm to save it.',
    }),
    repeat: (amount: string) => ({
      title: `${amount} again?`,
      next: 'The same customer had the same amount within ten minutes. Confirm only if this is a new sale.',
    }),
    scanWaits: 'A card was scanned. Finish this sale first, or cancel it.',
    scanSwitch: 'Switch to that card',
  },

  /** Keys for a finger. */
  keys: {
    erase: 'Erase',
    space: 'Space',
    shift: 'Capital letters',
    toLetters: 'Letters',
    toDigits: 'Digits',
    toArabic: 'Arabic letters',
    toLatin: 'Latin letters',
  },

  /** Errors of the agent's answers, where the screen has nothing closer to say. */
  errors: {
    invalid: { title: 'This was not accepted', next: 'Check what you entered.' },
    customer_not_found: { title: 'No such customer', next: 'Check the number with the customer.' },
    offline: { title: 'There is no connection', next: 'Try again when the line is back.' },
    refused: { title: 'The loyalty service said no', next: 'Check what you entered, or call store IT.' },
    reference_taken: {
      title: 'This receipt number stands for another sale',
      next: 'Check the receipt number, or leave it empty.',
    },
    looks_like_a_repeat: { title: 'This looks like the same sale again', next: 'Confirm only if it is a new one.' },
    looks_large: { title: 'This is a large amount', next: 'Check it with the customer and confirm it again.' },
    above_limit: { title: 'Above the limit of this till', next: 'Enter a smaller amount, or call a manager.' },
    not_saved: {
      title: 'Not saved',
      next: 'The till could not write to its disk. Keep the receipt and call store IT.',
    },
    queue_full: { title: 'Not saved: too many sales wait', next: 'Keep the receipt and call store IT.' },
    cannot_cancel: { title: 'Too late to undo', next: 'It is on its way to the customer.' },
    not_sent: {
      title: 'Not done: the service cannot be reached',
      next: 'Nothing was taken. Try again, or take full payment.',
    },
    books_unread: { title: 'Not known yet', next: 'Do not repeat it. Look again in a moment.' },
    irreversible: { title: 'This cannot be taken back', next: 'Coupons and rewards are given once.' },
    not_now: { title: 'It has gone on meanwhile', next: 'Look at how it stands now.' },
    pin_needed: { title: 'A manager has to confirm this', next: 'Ask a manager for the PIN.' },
    pin_wrong: { title: 'Wrong PIN', next: 'Enter it again.' },
    pin_locked: { title: 'Too many wrong PINs', next: 'Wait a minute, then enter it again.' },
    sign_in_needed: { title: 'Somebody has to sign in first', next: 'Sign in with your badge, then try again.' },
    badge_locked: { title: 'Too many unknown badges', next: 'Wait a minute, then scan it again. Sales go on.' },
    badge_unknown: { title: 'This badge is not known here', next: 'Scan it again, or ask a manager.' },
    operation_not_found: { title: 'This sale is not on this till', next: 'Look for it on the till that took it.' },
    no_lab: { title: 'There is no sandbox here', next: 'This till talks to another service.' },
    lab_refused: { title: 'The sandbox did not accept it', next: 'Check what you entered.' },
    agent_gone: {
      title: 'No answer from the agent',
      next: 'Press Confirm again: however often you press, it counts once.',
    },
  } satisfies Record<TillErrorCode, Advice>,

  ...outcomes,

  recent: {
    region: 'Recent',
    all: 'All',
    spent: (amount: string) => `${amount} spent`,
    /** An earn is taken off the card again; what was spent goes back to it. */
    undoing: {
      sale: { ask: (amount: string) => `Take ${amount} back?`, yes: 'Take back', underWay: 'Being taken back' },
      spend: { ask: (amount: string) => `Give ${amount} back?`, yes: 'Give back', underWay: 'Being given back' },
    },
    undoNo: 'Keep',
    takesBack: (amount: string) => `Back: ${amount}`,
    oneShot: 'Given once, cannot be taken back',
    emptyTitle: 'No sales yet',
    emptyNext: 'The last sales of this till appear here.',
    undo: 'Undo',
    otherIntents: {
      redeem: 'Reward or coupon',
      reverse: 'Taking back',
      enroll: 'Enrolling',
      verify: 'New customer',
      reserve: 'Held',
      commit: 'Hold used',
      release: 'Hold released',
    },
  },
};

/** The words of one language. */
export type Words = typeof words;
