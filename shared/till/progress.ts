import { cardTypeOf } from '../contract/card-names.ts';
import type { CardEntry } from '../contract/profile.ts';
import { roundPoints } from '../points.ts';

/** The price of a reward in the card's own points or stamps. No answer of the service has it. */
export interface RewardGoal {
  /** The name of the card's template. */
  readonly card: string;
  readonly each: number;
  /** The reward's name as it reads after "to"; null when the settings have none. */
  readonly reward: string | null;
}

/** How far a card is from its next reward. */
export interface Progress {
  readonly unit: 'points' | 'stamps';
  readonly left: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly reward: string | null;
}

/**
 * gap: Cards, templates, mechanics. A card does not say how many stamps make a reward; the decisions say ten. A card
 * with more stamps has another goal, so its stamps are shown as a number only.
 */
const stampsPerReward = 10;

/**
 * @param goals the first goal for a card counts
 * @returns null when the goal is unknown. It is never guessed, and a price that the card contradicts is ignored
 */
export function progressOf(card: CardEntry, goals: readonly RewardGoal[]): Progress | null {
  const { points, stamps, rewards_available: ready } = card.balances;
  const goal = goals.find((one) => one.card === card.template_name) ?? null;
  const reward = goal?.reward ?? null;
  if (cardTypeOf(card) === 'Stamp' && stamps !== null) {
    const each = goal?.each ?? stampsPerReward;
    const isTowards = Number.isInteger(stamps) && stamps >= 0 && stamps < each;
    return isTowards ? { unit: 'stamps', left: each - stamps, share: stamps / each, reward } : null;
  }
  if (goal === null || points === null || points < 0) return null;
  if (ready !== null && ready !== Math.floor(points / goal.each)) return null;
  const have = points % goal.each;
  return { unit: 'points', left: roundPoints(goal.each - have), share: have / goal.each, reward };
}

/** How many stamps make a reward of the card; null where that is unknown, or the card has more. */
export function stampGoalOf(card: CardEntry, goals: readonly RewardGoal[]): number | null {
  const progress = progressOf(card, goals);
  return progress?.unit === 'stamps' ? progress.left + (card.balances.stamps ?? 0) : null;
}
