import type { Plan } from './engine/plan.ts';
import { readBooks } from './judge/books.ts';
import { judge } from './judge/judge.ts';
import type { Verdict } from './judge/rules.ts';
import type { Marks } from './marks.ts';
import { perform } from './program/perform.ts';
import type { Step } from './program/steps.ts';
import { World } from './world/world.ts';

/** What came of one history. */
export interface Outcome {
  readonly verdicts: readonly Verdict[];
  /** Of its trace: the same for the same seed. */
  readonly digest: string;
  readonly trace: readonly string[];
  readonly marks: Marks;
  readonly eventCount: number;
  readonly virtualMs: number;
}

/** After the last step, before the faults end. */
const restMs = 20 * 60_000;
/** What was held back for a day comes, is looked up, and then nothing more. */
const quietMs = 34 * 3_600_000;
const closingMs = 10_000;

/** Plays a history to its end and judges it. */
export async function playHistory(
  plan: Plan,
  steps: readonly Step[],
  options: { readonly keepsTrace: boolean } = { keepsTrace: false },
): Promise<Outcome> {
  const world = new World(plan, { keepsLines: options.keepsTrace });
  const { scheduler, network } = world;
  const failures: Verdict[] = [];
  try {
    await world.open();
    const opening = readBooks(world.service.snapshot());
    for (const step of steps) {
      scheduler.at(scheduler.startMs + step.atMs, () => {
        perform(world, step).catch((error: unknown) => {
          const text = error instanceof Error ? `${error.stack}` : String(error);
          failures.push({ rule: 'step-failed', text: `#${step.step} ${text}` });
        });
      });
    }
    const endMs = scheduler.startMs + (steps.at(-1)?.atMs ?? 0) + restMs;
    await scheduler.runUntil(endMs);
    network.isHealed = true;
    network.down.clear();
    for (const till of world.tills) till.disk.trouble = null;
    scheduler.trace('healed');
    await scheduler.runUntil(endMs + quietMs);
    const verdicts = [...failures, ...(await judge(world, opening))];
    for (const till of world.tills) {
      till.disk.plannedCrash = null;
      await scheduler.runUntilSettled(till.stop(), closingMs);
    }
    const { lines: trace, eventCount } = scheduler;
    const virtualMs = scheduler.nowMs - scheduler.startMs;
    return { verdicts, digest: scheduler.digest(), trace, marks: world.marks, eventCount, virtualMs };
  } finally {
    world.end();
  }
}
