import { progressOf } from '../../../shared/till/progress.ts';
import { Icon } from '../../components/icon.tsx';
import { useModel } from '../../model.ts';
import { ProgressBar, Stamps, useProgressWords } from '../customer/card-parts.tsx';
import type { Outcome } from './shown-outcome.ts';

/** Whether a reward can be given that could not be given before the sale. */
export function newlyReady({ operation, cardBefore }: Outcome): boolean {
  const before = cardBefore?.balances.rewards_available ?? null;
  const now = operation.new_balances?.rewards_available ?? null;
  return before !== null && now !== null && now > before;
}

/** How far the customer is from the next reward, where that is known. */
export function GoalLeft({ outcome }: { readonly outcome: Outcome }) {
  const { frame } = useModel();
  const progressWords = useProgressWords();
  const { operation, card } = outcome;
  if (newlyReady(outcome)) {
    return (
      <p class="outcome-goal row gap-3">
        <Icon name="gift" size={28} />
        {frame.words.value.outcome.rewardReady}
      </p>
    );
  }
  const balances = operation.new_balances;
  const now = card === null || balances === null ? null : { ...card, balances };
  const progress = now === null ? null : progressOf(now, frame.till.value?.reward_goals ?? []);
  if (now === null || progress === null) return null;
  const stamps = now.balances.stamps ?? 0;
  return (
    <div class="outcome-goal stack gap-2" data-type={progress.unit === 'stamps' ? 'Stamp' : 'Reward'}>
      <p>{progressWords(progress)}</p>
      {progress.unit === 'stamps' ? (
        <Stamps have={stamps} each={stamps + progress.left} />
      ) : (
        <ProgressBar share={progress.share} />
      )}
    </div>
  );
}
