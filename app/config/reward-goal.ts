import type { RewardGoal } from '../../shared/till/progress.ts';

/** `Rewards club=100 a free coffee`, as it stands in `reward_goals`. */
export function rewardGoalOf(text: string): RewardGoal {
  const [, card = '', each = '', reward = ''] = /^(.*?)\s*=\s*(\d+)\s*(.*)$/.exec(text) ?? [];
  return { card: card.trim(), each: Number(each), reward: reward === '' ? null : reward.trim() };
}
