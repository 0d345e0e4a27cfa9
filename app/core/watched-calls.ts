import type { Clock } from '../../shared/lib/clock.ts';
import type { RewardGoal } from '../../shared/till/progress.ts';
import { CardLooks } from '../customers/card-looks.ts';
import { comparedOperations } from '../customers/used-cards.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Store } from '../store/store.ts';
import type { AgentCore } from './agent-core.ts';
import type { Health } from './health.ts';

/** The calls for a customer or a sale. */
type Calls = Pick<AgentCore, 'saveEarn' | 'perform' | 'reverse' | 'identify'>;

interface WatchedCallsParts {
  readonly store: Pick<Store, 'customerRows' | 'rewardPrices' | 'writer'>;
  readonly health: Health;
  readonly clock: Clock;
  readonly machineClock: Pick<Clock, 'monotonicMs'>;
  /** What rewards cost, where that is known without watching. */
  readonly knownGoals: () => readonly RewardGoal[];
  readonly onLearned: () => void;
}

/** Makes the same calls, and keeps what can be learned from them: when the last one came, and how cards have changed. */
export function watchedCalls(calls: Calls, parts: WatchedCallsParts): Calls & Pick<AgentCore, 'servedAtMs' | 'cards'> {
  const { store, health, clock, machineClock } = parts;
  const looks = new CardLooks({
    clock: machineClock,
    operationsOf: (theirs) =>
      health.orWithout<readonly Operation[] | null>(() => store.customerRows.newest(theirs, comparedOperations), null),
    prices: health.orWithout(() => store.rewardPrices.read(), []),
    onLearned(prices) {
      // When this cannot be saved, it is learned again from the next rewards.
      store.writer.lazy(() => store.rewardPrices.write(prices)).catch(() => undefined);
      parts.onLearned();
    },
  });
  let servedAtMs: number | null = null;
  const served = (): void => {
    servedAtMs = machineClock.monotonicMs();
  };

  return {
    servedAtMs: () => servedAtMs,
    cards: {
      gainOf: (operation) => looks.gainOf(operation),
      goals: () => [...parts.knownGoals(), ...looks.prices.map((price) => ({ ...price, reward: null }))],
    },
    async saveEarn(earn) {
      served();
      const outcome = await calls.saveEarn(earn);
      if (outcome.kind === 'saved' && !outcome.duplicate) looks.taken(outcome.operation);
      return outcome;
    },
    async perform(write, wait) {
      served();
      const outcome = await calls.perform(write, wait);
      if (outcome.kind === 'done' && !outcome.duplicate) {
        looks.taken(outcome.operation);
        looks.learn(outcome.operation);
      }
      return outcome;
    },
    reverse(rowId, request) {
      served();
      return calls.reverse(rowId, request);
    },
    async identify(identifier) {
      served();
      const askedAtMs = clock.now();
      const outcome = await calls.identify(identifier);
      if (outcome.kind === 'done') looks.seen(outcome.answer, identifier, askedAtMs);
      return outcome;
    },
  };
}
