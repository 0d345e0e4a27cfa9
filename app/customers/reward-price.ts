import { type CardEntry, readBalances } from '../../shared/contract/profile.ts';
import { roundPoints } from '../../shared/points.ts';
import type { Operation } from '../store/schema/operation.ts';

/**
 * What a reward has cost in points: what the card held before, less what it holds now.
 *
 * @param before the card as the service told it right before
 * @returns null where the card counts otherwise, or its own numbers contradict the price: another till may have used it
 */
export function rewardPriceOf(
  before: CardEntry,
  { intent, state, givenKind, newBalances }: Pick<Operation, 'intent' | 'state' | 'givenKind' | 'newBalances'>,
): number | null {
  const isGiven = intent === 'redeem' && state === 'applied' && givenKind === 'reward';
  const has = readBalances(newBalances);
  if (!isGiven || has === null || before.template_name === '') return null;
  const had = before.balances;
  if (had.points === null || has.points === null) return null;
  const each = roundPoints(had.points - has.points);
  if (!Number.isInteger(each) || each <= 0) return null;
  const agrees = [had, has].every(
    ({ points, rewards_available: ready }) => ready !== null && points !== null && ready === Math.floor(points / each),
  );
  return agrees ? each : null;
}
