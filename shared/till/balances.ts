import { type CardTypeName, cardTypeOf } from '../contract/card-names.ts';
import type { Balances, CardEntry } from '../contract/profile.ts';

const dimensions = ['cashback', 'points', 'stamps', 'visits', 'rewards'] as const;
export type Dimension = (typeof dimensions)[number];

/** One balance that the card has. Cashback is in minor units of `currency`. */
export interface Balance {
  readonly dimension: Dimension;
  readonly value: number;
  readonly currency: string | null;
}

/** Each dimension that the card has, even at zero. Null dimensions are hidden (spec "balances object"). */
export function balancesOf(balances: Balances): readonly Balance[] {
  const values: Readonly<Record<Dimension, number | null>> = {
    cashback: balances.cashback_minor,
    points: balances.points,
    stamps: balances.stamps,
    visits: balances.visits,
    rewards: balances.rewards_available,
  };
  return dimensions.flatMap((dimension) => {
    const value = values[dimension];
    return value === null ? [] : [{ dimension, value, currency: balances.currency }];
  });
}

const mainDimensions: Readonly<Record<CardTypeName, Dimension>> = {
  Stamp: 'stamps',
  Cashback: 'cashback',
  Subscription: 'visits',
  Coupon: 'rewards',
  Discount: 'visits',
  Certificate: 'cashback',
  Membership: 'visits',
  Reward: 'points',
};

/** The card's balances, the main one of its card type first. */
export function balancesMainFirst(card: CardEntry): readonly Balance[] {
  const type = cardTypeOf(card);
  const main = type === null ? null : mainDimensions[type];
  const all = balancesOf(card.balances);
  return [
    ...all.filter((balance) => balance.dimension === main),
    ...all.filter((balance) => balance.dimension !== main),
  ];
}

/** What an earn by amount adds to this card, as far as the screen knows. */
export function earnedDimension(card: CardEntry | null): Dimension | null {
  if (card === null) return null;
  return balancesMainFirst(card)[0]?.dimension ?? null;
}
