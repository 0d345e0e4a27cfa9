import { type CardTypeName, cardTypeNames } from '../../shared/contract/card-names.ts';
import type { Balances, CardEntry } from '../../shared/contract/profile.ts';

export const dimensions = ['cashback', 'points', 'stamps', 'visits', 'rewards'] as const;
export type Dimension = (typeof dimensions)[number];

/** One balance that the card has. Cashback is in minor units of `currency`. */
export interface Balance {
  readonly dimension: Dimension;
  readonly value: number;
  readonly currency: string | null;
}

/**
 * gap: Cards, templates, mechanics. A card does not say how many stamps make a reward; the decisions say ten. A card
 * that shows more has another goal, and its stamps are then shown as a bare count.
 */
export const stampsPerReward = 10;

/** Each dimension that the card has, zero too; null ones are hidden (spec "balances object"). */
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

export function cardTypeOf(card: CardEntry): CardTypeName | null {
  return cardTypeNames[card.card_type] ?? null;
}

/** The card's balances, the one that it is about first. */
export function balancesMainFirst(card: CardEntry): readonly Balance[] {
  const type = cardTypeOf(card);
  const main = type === null ? null : mainDimensions[type];
  const all = balancesOf(card.balances);
  return [
    ...all.filter((balance) => balance.dimension === main),
    ...all.filter((balance) => balance.dimension !== main),
  ];
}

/** What an earn by amount brings to this card, as far as the screen can tell. */
export function earnedDimension(card: CardEntry | null): Dimension | null {
  if (card === null) return null;
  return balancesMainFirst(card)[0]?.dimension ?? null;
}
