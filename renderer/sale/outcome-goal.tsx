import { Icon } from '../components/icon.tsx';
import { isTowardsReward } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { cardTypeOf, stampsPerReward } from './balances.ts';
import { Stamps } from './cards.tsx';
import type { Outcome } from './shown-outcome.ts';

/** A reward can be given that could not be given before the sale. */
export function newlyReady({ operation, cardBefore }: Outcome): boolean {
  const before = cardBefore?.balances.rewards_available ?? null;
  const now = operation.new_balances?.rewards_available ?? null;
  return before !== null && now !== null && now > before;
}

/** How far the customer is from the next reward, where the card tells it. */
export function StampsLeft({ outcome }: { readonly outcome: Outcome }) {
  const { frame } = useModel();
  const words = frame.words.value.outcome;
  const { operation, card } = outcome;
  const stamps = operation.new_balances?.stamps ?? null;
  const counts = card !== null && cardTypeOf(card) === 'Stamp' && stamps !== null && isTowardsReward(stamps);
  if (newlyReady(outcome)) {
    return (
      <p class="outcome-goal row gap-3">
        <Icon name="gift" size={28} />
        {words.rewardReady}
      </p>
    );
  }
  if (!counts || stamps === null) return null;
  const left = stampsPerReward - stamps;
  return (
    <div class="outcome-goal stack gap-2" data-type="Stamp">
      <p>{words.stampsToGo(left, frame.format.value.number(left))}</p>
      <Stamps have={stamps} />
    </div>
  );
}
