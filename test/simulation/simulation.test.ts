import { describe, expect, test } from 'vitest';
import { planOf } from './engine/plan.ts';
import { playHistory } from './history.ts';
import { makeSteps } from './program/make-steps.ts';

/** Seeds that are played in every run; `npm run simulate` plays thousands. */
const batchCount = process.env.LONG_TESTS === '1' ? 10 : 6;
const batchSize = 10;
const twiceSeeds = [1, 2, 3];
const patienceMs = 120_000;

async function failuresOf(seed: number): Promise<readonly string[]> {
  const plan = planOf(seed);
  const { verdicts } = await playHistory(plan, makeSteps(plan));
  return verdicts.map(({ rule, text }) => `npm run simulate -- --seeds 1 --from ${seed} --only ${rule} | ${text}`);
}

describe('a shop in virtual time, with faults by seed', () => {
  for (let batch = 0; batch < batchCount; batch += 1) {
    const first = batch * batchSize + 1;
    test(
      `keeps every rule with the seeds ${first} to ${first + batchSize - 1}`,
      async () => {
        const failures: string[] = [];
        for (let seed = first; seed < first + batchSize; seed += 1) failures.push(...(await failuresOf(seed)));
        expect(failures).toEqual([]);
      },
      patienceMs,
    );
  }

  test.each(twiceSeeds)(
    'goes the same way twice with seed %i',
    async (seed) => {
      const plan = planOf(seed);
      const steps = makeSteps(plan);
      const once = await playHistory(plan, steps);
      const again = await playHistory(plan, steps);
      expect(again.digest).toBe(once.digest);
    },
    patienceMs,
  );
});
