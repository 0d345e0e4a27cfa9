import { type CardOperation, cardOperations } from '../../../shared/contract/card-names.ts';
import type { Balances } from '../../../shared/contract/profile.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { currencyExponent, minorToDecimalText } from '../../../shared/money.ts';
import {
  type Dimension,
  dimensions,
  type EarnOperation,
  type EarnRule,
  type Mechanics,
  pointScale,
  type RedeemRule,
  type Reward,
} from './templates.ts';

/** What a card holds, in stored units (points in thousandths); null for a dimension that it does not have. */
export type StoredBalances = Readonly<Record<Dimension, number | null>>;

/** What a transaction changes, in stored units. A reversal undoes exactly these. */
export type Deltas = Readonly<Partial<Record<Dimension, number>>>;

/** What reservations hold of a card, in stored units (decisions "Reservations"). */
export type Holds = Readonly<Partial<Record<Dimension, number>>>;

/** An earn's value in the unit of its operation: minor units, thousandths of points, stamps, visits. */
export interface EarnValue {
  readonly operation: EarnOperation;
  readonly value: number;
}

/** Where a new card starts: zero in its own dimensions, a coupon at 1 (gap: Cards, templates, mechanics). */
export function openingBalances(mechanics: Mechanics | null): StoredBalances {
  return mapDimensions((dimension) =>
    mechanics?.dimensions.includes(dimension) ? (mechanics.opening[dimension] ?? 0) : null,
  );
}

function findEarnRule(mechanics: Mechanics, operation: CardOperation): EarnRule | null {
  return mechanics.earns.find((rule) => rule.operation === operation) ?? null;
}

/** Balances in the units in which they are shown: points as points, a stamp card's rewards beside its stamps. */
export type GivenBalances = Readonly<Partial<Record<Dimension, number | null | undefined>>>;

/** What a new card starts with, when it starts with these in the units in which they are shown. */
export function givenBalances(mechanics: Mechanics | null, given: GivenBalances): StoredBalances {
  const opening = openingBalances(mechanics);
  const price = mechanics?.rewardPrice;
  return mapDimensions((dimension) => {
    // The rewards that are given are a part of the one count.
    const rewards = price?.from === dimension ? (given.rewards_available ?? 0) * price.each : 0;
    if (price != null && dimension === 'rewards_available') return null;
    const own = given[dimension] ?? null;
    if (own === null) return opening[dimension] === null ? null : opening[dimension] + rewards;
    return (dimension === 'points' ? pointsToStored(own) : own) + rewards;
  });
}

/** What a new card can be given: rewards, too, where they are the whole tens of what it stores. */
export function givenDimensions({ dimensions: stored, rewardPrice }: Mechanics): readonly Dimension[] {
  return rewardPrice?.shows === 'rest' ? [...stored, 'rewards_available'] : stored;
}

/** What an earn changes on a card. */
export function earnDeltas(mechanics: Mechanics, earn: EarnValue): Deltas {
  const rule = findEarnRule(mechanics, earn.operation);
  if (rule === null) throw new Error(`The mechanics do not have ${earn.operation}`);
  return { [rule.gives]: givenBy(rule, earn.value) };
}

function givenBy(rule: EarnRule, value: number): number {
  switch (rule.rule) {
    case 'as_sent':
      return value;
    case 'share':
      // Whole numbers all the way: a large purchase times the share has no room in a double.
      return Number((BigInt(value) * BigInt(rule.basisPoints)) / 10_000n);
    case 'per_whole':
      return Math.floor(value / rule.minorPerPoint) * pointScale;
    default:
      return assertNever(rule);
  }
}

/** The deltas that undo a transaction's. */
export function undoingDeltas(deltas: Deltas): Deltas {
  const undoing: Partial<Record<Dimension, number>> = {};
  for (const dimension of dimensions) {
    const delta = deltas[dimension];
    if (delta !== undefined) undoing[dimension] = -delta;
  }
  return undoing;
}

/** @returns the balances after, or null when one would be too large to count exactly */
export function addDeltas(balances: StoredBalances, deltas: Deltas): StoredBalances | null {
  const after = mapDimensions((dimension) => {
    const delta = deltas[dimension];
    return delta === undefined ? balances[dimension] : (balances[dimension] ?? 0) + delta;
  });
  return dimensions.every((dimension) => Number.isSafeInteger(after[dimension] ?? 0)) ? after : null;
}

/**
 * How many rewards a card can claim right now: what holds leave, and never below 0; null for a card that has none
 * (gap: Cards, templates, mechanics).
 */
export function rewardsAvailable(mechanics: Mechanics, balances: StoredBalances, holds: Holds): number | null {
  const { rewardPrice } = mechanics;
  if (rewardPrice === null) return balances.rewards_available;
  const { from, each } = rewardPrice;
  return Math.max(0, Math.floor(((balances[from] ?? 0) - (holds[from] ?? 0)) / each));
}

/** What a card holds beside its whole rewards, which are claimed and not spent one by one. */
export function besideRewards(mechanics: Mechanics, balances: StoredBalances): StoredBalances {
  const { rewardPrice } = mechanics;
  if (rewardPrice?.shows !== 'rest') return balances;
  const { from, each } = rewardPrice;
  const rewards = rewardsAvailable(mechanics, balances, {}) ?? 0;
  return { ...balances, [from]: (balances[from] ?? 0) - rewards * each };
}

/** Whether there is something that the rule could spend. Holds do not count here (gap: Which card). */
function hasSomethingToSpend(mechanics: Mechanics, balances: StoredBalances, rule: RedeemRule): boolean {
  switch (rule.rule) {
    case 'as_sent':
      return (besideRewards(mechanics, balances)[rule.spends] ?? 0) > 0;
    case 'one':
    case 'reward':
      return (rewardsAvailable(mechanics, balances, {}) ?? 0) > 0;
    default:
      return assertNever(rule);
  }
}

/** What a card supports now, in the specification's order: from its mechanics and from its state. */
export function allowedOperations(
  mechanics: Mechanics | null,
  card: { readonly balances: StoredBalances; readonly suspended: boolean },
): CardOperation[] {
  if (mechanics === null || card.suspended) return [];
  return cardOperations.filter(
    (operation) =>
      mechanics.earns.some((rule) => rule.operation === operation) ||
      mechanics.redeems.some(
        (rule) => rule.operation === operation && hasSomethingToSpend(mechanics, card.balances, rule),
      ),
  );
}

/** The rewards to choose from, only while one can be claimed; a suspended card claims none. */
export function availableRewards(
  mechanics: Mechanics | null,
  card: { readonly balances: StoredBalances; readonly suspended: boolean; readonly holds: Holds },
  tenantCurrency: string,
): { reward_id: string; name: string }[] {
  if (mechanics === null || card.suspended) return [];
  if ((rewardsAvailable(mechanics, card.balances, card.holds) ?? 0) === 0) return [];
  return (mechanics.rewardPrice?.choice ?? []).map((reward) => ({
    reward_id: reward.reward_id,
    name: rewardName(reward, tenantCurrency),
  }));
}

/** `1.000 KWD voucher`. */
function rewardName({ name, worthMinor }: Reward, currency: string): string {
  if (worthMinor === undefined) return name;
  return `${minorToDecimalText(worthMinor, currencyExponent(currency) ?? 0)} ${currency} ${name}`;
}

/** Balances as the interface shows them (spec "balances object"). */
export function shownBalances(
  mechanics: Mechanics | null,
  card: { readonly balances: StoredBalances; readonly currency: string | null; readonly holds: Holds },
): Balances {
  const { balances, holds } = card;
  const { points, cashback_minor, stamps, visits } = mechanics === null ? balances : besideRewards(mechanics, balances);
  return {
    points: points === null ? null : points / pointScale,
    cashback_minor,
    stamps,
    visits,
    rewards_available: mechanics === null ? balances.rewards_available : rewardsAvailable(mechanics, balances, holds),
    currency: card.currency,
  };
}

/** `12.5` points are 12500 thousandths. */
export function pointsToStored(points: number): number {
  return Math.round(points * pointScale);
}

function mapDimensions<T>(amountOf: (dimension: Dimension) => T): Record<Dimension, T> {
  return {
    points: amountOf('points'),
    cashback_minor: amountOf('cashback_minor'),
    stamps: amountOf('stamps'),
    visits: amountOf('visits'),
    rewards_available: amountOf('rewards_available'),
  };
}
