import type { Balances, CardEntry } from '../../shared/contract/profile.ts';
import { roundPoints } from '../../shared/points.ts';
import { type Balance, balancesOf, type Dimension } from '../../shared/till/balances.ts';
import type { SpendValue } from './entry.ts';

/** Whether a balance was empty before and is not now: a first reward can be given, or first points can be spent. */
export function isNewlyFilled(before: Balances, after: Balances): boolean {
  const filledBefore = new Set(balancesOf(before).flatMap(({ dimension, value }) => (value > 0 ? [dimension] : [])));
  return balancesOf(after).some(({ dimension, value }) => value > 0 && !filledBefore.has(dimension));
}

/** The card's balance before and after a redemption; null when the card does not show that balance. */
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
  const left = roundPoints(before.value - taken.value);
  return { before, after: { ...before, value: left } };
}

function spentPart(value: SpendValue): { readonly dimension: Dimension; readonly value: number } | null {
  if ('amount_minor' in value) return { dimension: 'cashback', value: value.amount_minor };
  if ('points' in value) return { dimension: 'points', value: value.points };
  if ('stamps' in value) return { dimension: 'stamps', value: value.stamps };
  if ('visits' in value) return { dimension: 'visits', value: value.visits };
  return null;
}
