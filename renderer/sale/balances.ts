import { type CardTypeName, cardTypeNames } from '../../shared/contract/card-names.ts';
import type { Balances, CardEntry } from '../../shared/contract/profile.ts';
import type { SpendValue } from './entry.ts';

const dimensions = ['cashback', 'points', 'stamps', 'visits', 'rewards'] as const;
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

/** Whether something that was empty is not any more: a first reward can be given, first points can be spent. */
export function isNewlyFilled(before: Balances, after: Balances): boolean {
  const filledBefore = new Set(balancesOf(before).flatMap(({ dimension, value }) => (value > 0 ? [dimension] : [])));
  return balancesOf(after).some(({ dimension, value }) => value > 0 && !filledBefore.has(dimension));
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

/** What a card holds of what a redemption takes, and what is left after it; null where the card does not say. */
export function balanceAfter(
  card: CardEntry | null,
  value: SpendValue,
): { readonly before: Balance; readonly after: Balance } | null {
  const taken = spentPart(value);
  const before =
    card === null || taken === null
      ? undefined
      : balancesOf(card.balances).find(({ dimension }) => dimension === taken.dimension);
  if (before === undefined || taken === null) return null;
  // Points have up to three decimals.
  const left = Math.round((before.value - taken.value) * 1000) / 1000;
  return { before, after: { ...before, value: left } };
}

function spentPart(value: SpendValue): { readonly dimension: Dimension; readonly value: number } | null {
  if ('amount_minor' in value) return { dimension: 'cashback', value: value.amount_minor };
  if ('points' in value) return { dimension: 'points', value: value.points };
  if ('stamps' in value) return { dimension: 'stamps', value: value.stamps };
  if ('visits' in value) return { dimension: 'visits', value: value.visits };
  return null;
}

/** What an earn by amount brings to this card, as far as the screen can tell. */
export function earnedDimension(card: CardEntry | null): Dimension | null {
  if (card === null) return null;
  return balancesMainFirst(card)[0]?.dimension ?? null;
}
