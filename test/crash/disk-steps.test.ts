import { afterAll, describe, expect, it } from 'vitest';
import { earn, untilState } from './counter-acts.ts';
import { FailingDisk } from './failing-disk.ts';
import { KillableShop } from './killable.ts';
import { compareBooks, type Findings, heldNow, isLong, type Scenario } from './scenario.ts';
import { watchStatements } from './statement-watch.ts';
import { scenarios } from './write-scenarios.ts';

const watch = watchStatements();
afterAll(() => watch.stop());

const mostSteps = 400;

/** @returns whether everything ended before the disk failed */
async function failAndCompare(scenario: Scenario, steps: number, endsInKill: boolean): Promise<boolean> {
  const at = new KillableShop(watch);
  try {
    await at.shop.pass(1_000);
    await scenario.prepare?.(at);
    at.told.length = 0;
    const before = await heldNow(at, scenario);
    // LONG_TESTS=1 tries it statement by statement.
    const disk = new FailingDisk(watch, at, { steps, isEachStatement: isLong, endsInKill });
    await at.work(() => scenario.work(at));
    let heldAtKill = before;
    if (endsInKill) {
      if (disk.failedAt === null) return true;
      at.kill();
      await at.shop.quiet();
      heldAtKill = await heldNow(at, scenario);
      disk.mend();
      await at.comeBack();
    }
    await at.shop.mend();
    const how = `the disk failed at step ${steps + 1}: ${disk.failedAt}`;
    const found = await compareBooks(at, scenario, { heldAtKill, asksAgain: !endsInKill, how });
    await nothingWasDoneWhereSaid(found, before);
    disk.mend();
    expect((await earn(at, 'X-9')).kind, found.what).toBe('saved');
    await untilState(at, 'X-9', 'applied');
    return disk.failedAt === null;
  } finally {
    watch.onStep = null;
    await at.shop.end();
  }
}

/** Nothing was done, whoever says one of these. */
const nothingDone: ReadonlySet<string> = new Set(['not_saved', 'not_sent', 'refused']);
/** A question that is noted under another name than its intent. */
const askedAs: Readonly<Record<string, string>> = { reverse: 'reversal' };

async function nothingWasDoneWhereSaid(found: Findings, before: ReadonlyMap<string, string>): Promise<void> {
  for (const [key, was] of before) {
    const [intent = '', reference = ''] = key.split(' ');
    const last = found.answers.findLast(({ what }) => [intent, key, askedAs[intent]].includes(what));
    if (last !== undefined && nothingDone.has(last.kind)) {
      expect(await found.held(reference, intent), found.what).toBe(was);
    }
  }
}

/** On a good line all; of those whose line fails as well, one of each delivery. LONG_TESTS=1 tries all. */
const tried = scenarios.filter(
  ({ name }) =>
    isLong || !/ whose |\(drop_request\)/.test(name) || /^(an earn|a redemption) whose answer is lost$/.test(name),
);

describe.each([
  ['for a while', false],
  ['until the till is started anew', true],
])('a disk that takes nothing %s', (_, endsInKill) => {
  it.each(tried)(
    'from any step of $name on, costs an answer at most',
    async (scenario) => {
      let steps = 0;
      while (!(await failAndCompare(scenario, steps, endsInKill))) {
        steps += 1;
        expect(steps).toBeLessThan(mostSteps);
      }
      expect(steps).toBeGreaterThan(0);
    },
    120_000,
  );
});
