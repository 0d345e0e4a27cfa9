import type { CardOperation } from '../../../shared/contract/card-names.ts';
import { countIn } from '../../../shared/words/plural.ts';
import type { EntryKind, EntryProblem } from '../../operation/entry.ts';

const count = countIn('en');

/** The words for what is entered on the sale screen: a part of `en`. */
export const entryWords = {
  entry: {
    labels: { money: 'Amount', points: 'Points', stamps: 'Stamps', visits: 'Visits' },
    receiptShort: 'Receipt no.',
    /** Only for screen readers, before what the button does. */
    confirm: 'Confirm',
    /** What a press does. */
    act: {
      earn_amount: (amount: string) => `Earn ${amount}`,
      earn_points: (amount: string) => `Add ${amount}`,
      earn_stamp: (amount: string) => `Add ${amount}`,
      earn_visit: (amount: string) => `Add ${amount}`,
      redeem_amount: (amount: string) => `Spend ${amount}`,
      redeem_points: (amount: string) => `Spend ${amount}`,
      redeem_stamp: (amount: string) => `Use ${amount}`,
      redeem_visit: (amount: string) => `Use ${amount}`,
      redeem_reward: (name: string) => `Give ${name}`,
      redeem_coupon: (name: string) => `Use ${name}`,
    } satisfies Record<CardOperation, (what: string) => string>,
    /** While the amount is missing. */
    enter: {
      money: 'Enter the amount',
      points: 'Enter the points',
      stamps: 'Enter the stamps',
      visits: 'Enter the visits',
      reward: 'Choose the reward',
      coupon: 'Scan or enter the code',
    } satisfies Record<EntryKind['unit'], string>,
    cancel: 'Cancel',
    change: 'Change',
    saving: 'Saving',
    asking: 'One moment',
    useAll: (balance: string) => `Use all ${balance}`,
    after: (balance: string) => `${balance} left`,
    onlyOnCard: (balance: string) => `Only ${balance} on the card`,
    rewards: 'Reward',
    namelessReward: 'Reward',
    couponCode: 'Coupon code',
    couponHint: 'This card’s own code. Another coupon can be scanned.',
    once: 'Given once. This cannot be undone.',
    keypad: 'Keypad',
    pin: 'Manager’s PIN',
    problems: {
      empty: 'Enter the amount.',
      not_a_number: 'Not a number. Use digits and one decimal point.',
      too_many_decimals: 'Too many decimals.',
      negative: 'Enter a value above zero.',
      zero: 'Enter a value above zero.',
      too_large: 'This value is too large.',
      unknown_currency: 'This currency is not known. Call store IT.',
      above_limit: 'Above the limit of this till.',
      whole_number_only: 'Whole numbers only.',
      choose_reward: 'Choose the reward.',
      no_code: 'Scan or enter the code.',
      above_balance: 'More than the card holds.',
    } satisfies Record<EntryProblem, string>,
    tooManyDecimals: (decimals: string) => `At most ${decimals} decimals.`,
    aboveLimit: {
      sale: (limit: string) => `The limit of this till is ${limit}.`,
      hour: (limit: string) => `The limit of this till is ${limit} in 1 hour.`,
    },
    /** Rewards and coupons are counted together. */
    limitOfRewards: (value: number, written: string) =>
      count(value, written, { one: '# reward or coupon', other: '# rewards and coupons' }),
    receiptTooLong: (most: string) => `At most ${most} characters.`,
    large: (amount: string) => ({
      title: `${amount}: is that right?`,
      next: 'The amount is larger than usual.',
    }),
    repeat: (amount: string) => ({
      title: `${amount} again?`,
      next: 'Same customer, same amount, within 10 minutes. Only for a new sale.',
    }),
    scanWaits: 'A card was scanned. Finish or cancel this sale first.',
    cardWaits: 'A scanned card waits.',
    scanWaitsFor: (who: string) => `This sale is for ${who}. The scanned card waits.`,
    scanSwitch: 'Switch',
    scanSwitchTo: 'Switch to that card',
  },

  /** Touch keys. */
  keys: {
    erase: 'Erase',
    space: 'Space',
    shift: 'Capital letters',
    toLetters: 'Letters',
    toDigits: 'Digits',
    toArabic: 'Arabic letters',
    toLatin: 'Latin letters',
  },
};
export type EntryWords = typeof entryWords;
