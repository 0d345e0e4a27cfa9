import { setTimeout as sleep } from 'node:timers/promises';
import { endAll } from './child-programs.ts';
import { type GoalNumber, limitsOf } from './goal-table.ts';
import type { GoalLine } from './measure.ts';
import type { GoalReport } from './report.ts';

const aftermathMs = 100;

/** What a goal is measured by, and how long that may take. */
interface GoalRun {
  readonly goal: GoalNumber;
  readonly measure: () => Promise<readonly GoalLine[]>;
  readonly limitMs: number;
}

/**
 * Measures one goal. One that breaks, wherever it does, or that does not end, becomes lines that say so; the programs
 * that it has started are ended, so that the next goal has the machine for itself.
 */
export async function runGoal({ goal, measure, limitMs }: GoalRun): Promise<GoalReport> {
  const startMs = performance.now();
  const lines = await linesOf({ goal, measure, limitMs });
  return { goal, lines, tookSeconds: Math.round((performance.now() - startMs) / 1_000) };
}

async function linesOf({ goal, measure, limitMs }: GoalRun): Promise<readonly GoalLine[]> {
  const ended = new AbortController();
  const tooLong = sleep(limitMs, undefined, { signal: ended.signal }).then((): never => {
    throw new Error(`not done after ${limitMs / 1_000} s`);
  });
  try {
    return await Promise.race([measure(), tooLong, brokenElsewhere(ended.signal)]);
  } catch (error) {
    endAll();
    // What it waits for now breaks too: in its own time, and not in that of the next goal.
    await sleep(aftermathMs);
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return limitsOf(goal).map((limit) => ({ limit, outcome: { kind: 'failed', reason } }));
  } finally {
    ended.abort();
    // Its end by our own hand is no news.
    await tooLong.catch(() => undefined);
  }
}

/** Rejects with what was thrown where nobody waits for it, such as by a socket. */
function brokenElsewhere(ended: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, reject);
      ended.addEventListener('abort', () => process.off(event, reject), { once: true });
    }
  });
}
