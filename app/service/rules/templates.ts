import type { CardOperationWith } from '../../../shared/contract/card-names.ts';

/** The dimensions of a balance that a card stores (spec "balances object"). */
export const dimensions = ['points', 'cashback_minor', 'stamps', 'visits', 'rewards_available'] as const;
export type Dimension = (typeof dimensions)[number];

/** Points are kept as whole thousandths, for they have up to three decimals (gap: Errors and limits). */
export const pointScale = 1000;

export type EarnOperation = CardOperationWith<{ readonly way: 'earn' }>;
export type RedeemOperation = CardOperationWith<{ readonly way: 'spend' }>;

/** What an earn gives, in the card's own unit. */
export type EarnRule =
  /** As many as were sent. */
  | { readonly operation: EarnOperation; readonly gives: Dimension; readonly rule: 'as_sent' }
  /** A share of the purchase: 500 basis points are 5 %, rounded down. */
  | {
      readonly operation: 'earn_amount';
      readonly gives: Dimension;
      readonly rule: 'share';
      readonly basisPoints: number;
    }
  /** One point for every whole so many minor units. */
  | {
      readonly operation: 'earn_amount';
      readonly gives: 'points';
      readonly rule: 'per_whole';
      readonly minorPerPoint: number;
    };

/** What a redemption takes. The operation is offered while there is some of it. */
export type RedeemRule =
  | { readonly operation: RedeemOperation; readonly spends: Dimension; readonly rule: 'as_sent' }
  /** The one use of a coupon. */
  | { readonly operation: 'redeem_coupon'; readonly spends: 'rewards_available'; readonly rule: 'one' }
  /** One reward, for its price. */
  | { readonly operation: 'redeem_reward'; readonly rule: 'reward' };

/** What a card's rewards are paid with; `rewards_available` is never stored beside it but counted from it. */
export interface RewardPrice {
  readonly from: Dimension;
  /** What one reward takes, in stored units. */
  readonly each: number;
  /** `rest`: the card shows what is left beside its whole rewards; `whole`: it shows all that it holds. */
  readonly shows: 'rest' | 'whole';
  /** The rewards to choose from; empty when there is one kind. */
  readonly choice: readonly Reward[];
}

export interface Reward {
  readonly reward_id: string;
  readonly name: string;
  /** Minor units of the tenant's currency; they stand before the name. */
  readonly worthMinor?: number;
}

/** How a card behaves, as data. */
export interface Mechanics {
  /** What a card stores. */
  readonly dimensions: readonly Dimension[];
  /** Where a new card starts, when that is not zero. */
  readonly opening: Readonly<Partial<Record<Dimension, number>>>;
  readonly earns: readonly EarnRule[];
  readonly redeems: readonly RedeemRule[];
  readonly rewardPrice: RewardPrice | null;
}

interface Template {
  readonly template_id: string;
  readonly name: string;
  /** 0 Stamp to 7 Reward (spec "Card entry"). */
  readonly card_type: number;
  /** Null: mechanics that the service does not know. */
  readonly mechanics: Mechanics | null;
}

const none = { opening: {}, earns: [], redeems: [], rewardPrice: null } as const;

/** The templates of the demo tenant (gap: Cards, templates, mechanics). */
export const templates: readonly Template[] = [
  {
    template_id: 'tpl_stamp',
    name: 'Coffee stamps',
    card_type: 0,
    mechanics: {
      ...none,
      dimensions: ['stamps'],
      earns: [{ operation: 'earn_stamp', gives: 'stamps', rule: 'as_sent' }],
      redeems: [
        { operation: 'redeem_stamp', spends: 'stamps', rule: 'as_sent' },
        { operation: 'redeem_reward', rule: 'reward' },
      ],
      rewardPrice: { from: 'stamps', each: 10, shows: 'rest', choice: [] },
    },
  },
  {
    template_id: 'tpl_cashback',
    name: 'Cashback 5 %',
    card_type: 1,
    mechanics: {
      ...none,
      dimensions: ['cashback_minor'],
      earns: [{ operation: 'earn_amount', gives: 'cashback_minor', rule: 'share', basisPoints: 500 }],
      redeems: [{ operation: 'redeem_amount', spends: 'cashback_minor', rule: 'as_sent' }],
    },
  },
  {
    template_id: 'tpl_subscription',
    name: 'Coffee subscription',
    card_type: 2,
    mechanics: {
      ...none,
      dimensions: ['visits'],
      redeems: [{ operation: 'redeem_visit', spends: 'visits', rule: 'as_sent' }],
    },
  },
  {
    template_id: 'tpl_coupon',
    name: 'Welcome coupon',
    card_type: 3,
    mechanics: {
      ...none,
      dimensions: ['rewards_available'],
      opening: { rewards_available: 1 },
      redeems: [{ operation: 'redeem_coupon', spends: 'rewards_available', rule: 'one' }],
    },
  },
  {
    template_id: 'tpl_discount',
    name: 'Family discount',
    card_type: 4,
    mechanics: {
      ...none,
      dimensions: ['visits'],
      earns: [{ operation: 'earn_visit', gives: 'visits', rule: 'as_sent' }],
    },
  },
  {
    template_id: 'tpl_certificate',
    name: 'Gift certificate',
    card_type: 5,
    mechanics: {
      ...none,
      dimensions: ['cashback_minor'],
      redeems: [{ operation: 'redeem_amount', spends: 'cashback_minor', rule: 'as_sent' }],
    },
  },
  {
    template_id: 'tpl_membership',
    name: 'Gym membership',
    card_type: 6,
    mechanics: {
      ...none,
      dimensions: ['visits'],
      earns: [{ operation: 'earn_visit', gives: 'visits', rule: 'as_sent' }],
      redeems: [{ operation: 'redeem_visit', spends: 'visits', rule: 'as_sent' }],
    },
  },
  {
    template_id: 'tpl_reward',
    name: 'Rewards club',
    card_type: 7,
    mechanics: {
      ...none,
      dimensions: ['points'],
      earns: [
        { operation: 'earn_amount', gives: 'points', rule: 'per_whole', minorPerPoint: 1000 },
        { operation: 'earn_points', gives: 'points', rule: 'as_sent' },
      ],
      redeems: [
        { operation: 'redeem_points', spends: 'points', rule: 'as_sent' },
        { operation: 'redeem_reward', rule: 'reward' },
      ],
      rewardPrice: {
        from: 'points',
        each: 100 * pointScale,
        shows: 'whole',
        choice: [
          { reward_id: 'rwd_coffee', name: 'Free coffee' },
          { reward_id: 'rwd_cake', name: 'Free cake' },
          { reward_id: 'rwd_voucher', name: 'voucher', worthMinor: 1000 },
        ],
      },
    },
  },
  { template_id: 'tpl_unknown', name: 'Partner club', card_type: 6, mechanics: null },
];

const templatesById = new Map(templates.map((template) => [template.template_id, template]));

export function findTemplate(templateId: string): Template | null {
  return templatesById.get(templateId) ?? null;
}

/** What a reward of each template costs, in the units that are shown, and its name where there is one kind. */
export function rewardPrices(): readonly {
  readonly card: string;
  readonly each: number;
  readonly reward: string | null;
}[] {
  return templates.flatMap(({ name, mechanics }) => {
    const price = mechanics?.rewardPrice ?? null;
    if (price === null) return [];
    const [only, ...others] = price.choice;
    const each = price.from === 'points' ? price.each / pointScale : price.each;
    return [{ card: name, each, reward: others.length === 0 ? (only?.name ?? null) : null }];
  });
}
