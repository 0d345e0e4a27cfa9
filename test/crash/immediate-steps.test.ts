import { afterAll, describe, expect, it } from 'vitest';
import { KillableShop } from './killable.ts';
import { compareBooks, heldNow, isLong, type Scenario } from './scenario.ts';
import { watchStatements } from './statement-watch.ts';
import { scenarios } from './write-scenarios.ts';

const watch = watchStatements();
afterAll(() => watch.stop());

/** More effects than any of these has. */
const mostEffects = 80;

// LONG_TESTS=1 kills after each effect in both ways; a short run after every fourth one, others with another seed.
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const stride = isLong ? 1 : 4;
const firstEffect = (turn: number): number => (isLong ? 0 : (seed + turn) % stride);

interface Kills {
  /** Effects of the work until the kill. */
  readonly inWork: number;
  /** Effects of the agent that comes back until it is killed too; null: it is not. */
  readonly inRecovery: number | null;
  readonly asksAgain: boolean;
}

/** @returns whether everything ended before the last of the kills */
async function killAndCompare(scenario: Scenario, { inWork, inRecovery, asksAgain }: Kills): Promise<boolean> {
  const at = new KillableShop(watch);
  try {
    await at.shop.pass(1_000);
    await scenario.prepare?.(at);
    at.told.length = 0;
    at.killAfter(inWork);
    let hasEnded = await at.work(() => scenario.work(at));
    // What is on the wire arrives, before anybody looks.
    await at.shop.quiet();
    await at.shop.mend();
    const heldAtKill = await heldNow(at, scenario);
    if (inRecovery !== null) {
      if (hasEnded) return true;
      await at.comeBack(inRecovery);
      hasEnded = await at.work(() => at.pass(recoveryMs));
    }
    await at.comeBack();
    if (asksAgain) {
      await at.shop.pass(500);
      await (scenario.again ?? scenario.work)(at);
    }
    await compareBooks(at, scenario, { heldAtKill, asksAgain, how: `killed after [${at.effects}]` });
    // The one that was killed still finds its files gone.
    expect(at.shop.errors.filter((line) => !line.includes('deleted or replaced'))).toEqual([]);
    return hasEnded;
  } finally {
    await at.shop.end();
  }
}

/** Within this time what was cut short is found out, but for codes and holds. */
const recoveryMs = 60_000;

describe.each(scenarios)(`a kill after any effect of $name (CRASH_SEED=${seed})`, (scenario) => {
  // The two kill after different effects.
  it.each([
    ['nobody asks again', false, 0],
    ['the caller asks again', true, 1],
  ])(
    'ends with what the service holds, once, when %s',
    async (_, asksAgain, turn) => {
      let inWork = firstEffect(turn);
      while (!(await killAndCompare(scenario, { inWork, inRecovery: null, asksAgain }))) {
        inWork += stride;
        expect(inWork).toBeLessThan(mostEffects);
      }
      // Killed before the first at least, and after it.
      expect(inWork).toBeGreaterThan(1);
    },
    120_000,
  );
});

/** Of the ways to come back each is here once; LONG_TESTS=1 tries all. */
const recovering = scenarios.filter(
  ({ name }) => isLong || /^(an earn|a redemption|the reversal of a redemption) whose answer is lost$/.test(name),
);

describe.each(recovering)(
  `a kill after any effect of $name, and another after any effect of the recovery (CRASH_SEED=${seed})`,
  (scenario) => {
    it('end with what the service holds, once', async () => {
      let secondKills = 0;
      for (let inWork = firstEffect(0); ; inWork += stride) {
        expect(inWork).toBeLessThan(mostEffects);
        let inRecovery = 0;
        while (!(await killAndCompare(scenario, { inWork, inRecovery, asksAgain: false }))) {
          inRecovery += 1;
          expect(inRecovery).toBeLessThan(mostEffects);
        }
        secondKills += inRecovery;
        if (inRecovery === 0) break;
      }
      expect(secondKills).toBeGreaterThan(10);
    }, 240_000);
  },
);
