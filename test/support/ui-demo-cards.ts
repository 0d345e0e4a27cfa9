import type { Balances, CardEntry } from '../../shared/contract/profile.ts';

const none: Balances = {
  points: null,
  cashback_minor: null,
  stamps: null,
  visits: null,
  rewards_available: null,
  currency: null,
};

function card(change: Partial<Omit<CardEntry, 'balances'>> & { balances?: Partial<Balances> }): CardEntry {
  return {
    card_id: 'card_01',
    template_name: '',
    card_type: -1,
    available_rewards: [],
    allowed_operations: [],
    ...change,
    balances: { ...none, ...change.balances },
  };
}

/** One card of each kind, with what it allows. */
export const demoCards = {
  reward: card({
    card_id: 'card_reward',
    template_name: 'Coffee Circle',
    card_type: 7,
    balances: { points: 245.5, rewards_available: 2 },
    available_rewards: [
      { reward_id: 'rwd_coffee', name: 'Free coffee' },
      { reward_id: 'rwd_cake', name: 'Free cake' },
      { reward_id: 'rwd_voucher', name: '1.000 KWD voucher' },
    ],
    allowed_operations: ['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward'],
  }),
  cashback: card({
    card_id: 'card_cashback',
    template_name: 'Cashback Club',
    card_type: 1,
    balances: { cashback_minor: 1250, currency: 'KWD' },
    allowed_operations: ['earn_amount', 'redeem_amount'],
  }),
  stamp: card({
    card_id: 'card_stamp',
    template_name: 'Ten for One',
    card_type: 0,
    balances: { stamps: 7, rewards_available: 1 },
    allowed_operations: ['earn_stamp', 'redeem_stamp', 'redeem_reward'],
  }),
  membership: card({
    card_id: 'card_membership',
    template_name: 'Gold Members',
    card_type: 6,
    balances: { visits: 12 },
    allowed_operations: ['earn_visit', 'redeem_visit'],
  }),
  subscription: card({
    card_id: 'card_subscription',
    template_name: 'Lunch Pass',
    card_type: 2,
    balances: { visits: 20 },
    allowed_operations: ['redeem_visit'],
  }),
  coupon: card({
    card_id: 'card_coupon',
    template_name: 'Welcome Coupon',
    card_type: 3,
    balances: { rewards_available: 1 },
    allowed_operations: ['redeem_coupon'],
  }),
  discount: card({
    card_id: 'card_discount',
    template_name: 'Staff Discount',
    card_type: 4,
    balances: { visits: 0 },
    allowed_operations: ['earn_visit'],
  }),
  certificate: card({
    card_id: 'card_certificate',
    template_name: 'Gift of 25',
    card_type: 5,
    balances: { cashback_minor: 25_000, currency: 'KWD' },
    allowed_operations: ['redeem_amount'],
  }),
  unknown: card({ card_id: 'card_unknown', template_name: 'Mystery', card_type: 42 }),
} as const satisfies Record<string, CardEntry>;
