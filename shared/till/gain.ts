import type { Balances, CardEntry } from '../contract/profile.ts';
import { roundPoints } from '../points.ts';
import { type Balance, balancesOf, earnedDimension } from './balances.ts';
import { carriedCount } from './carried-count.ts';

/**
 * How much a purchase added: the balance now, less the balance before. The service does not report it.
 *
 * @param earn what was added by number is known already, and is no less where a part of it became a reward
 * @returns null for an earn by number, and where the difference is not what was added: no balance grew, because points
 *   that became a reward are fewer than before, or stamps became a reward
 */
export function gainOf(earn: Parameters<typeof carriedCount>[0], before: CardEntry, after: Balances): Balance | null {
  const dimension = earnedDimension(before);
  const [had, has] = [before.balances, after].map((balances) =>
    balancesOf(balances).find((balance) => balance.dimension === dimension),
  );
  if (carriedCount(earn) !== null || had === undefined || has === undefined) return null;
  const isMoreRewards = (after.rewards_available ?? 0) > (before.balances.rewards_available ?? 0);
  if (dimension === 'stamps' && isMoreRewards) return null;
  const value = roundPoints(has.value - had.value);
  return value > 0 ? { ...has, value } : null;
}
