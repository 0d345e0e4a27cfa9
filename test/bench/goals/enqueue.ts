import { join } from 'node:path';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { atMost, type GoalLine, ratios, spreadOf } from '../measure.ts';
import { shimEnvironment } from '../sync-shim.ts';
import type { GoalContext } from './context.ts';

const cases = [
  {
    what: 'save a sale, p50, against a bare insert of its row',
    delayMs: 0,
    target: atMost(1.3),
    earns: { full: 1_000, quick: 300 },
  },
  { what: 'the same at +5 ms for each sync', delayMs: 5, target: atMost(1.1), earns: { full: 100, quick: 40 } },
] as const;

const times = z.array(z.number());

/** Goal 2: what the agent adds to the time that the disk takes. */
export async function measureEnqueue({ work, shim, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const lines: GoalLine[] = [];
  for (const { what, delayMs, target, earns } of cases) {
    if (delayMs > 0 && shim.kind === 'missing') {
      lines.push({ kind: 'skipped', goal: 2, what, target, reason: shim.reason });
      continue;
    }
    const dataDir = work.folder('enqueue');
    const { agent, plain, bytes } = await runContender({
      name: 'enqueue',
      input: { dataDir, rounds, earnsPerRound: isQuick ? earns.quick : earns.full },
      result: z.object({ agent: times, plain: times, bytes: times }),
      environment:
        delayMs > 0 && shim.kind === 'ready'
          ? shimEnvironment({ library: shim.library, counterFile: join(dataDir, 'syncs'), delayMs })
          : undefined,
    });
    const microseconds = (values: readonly number[]) => `${spreadOf(values).median.toFixed(0)} µs`;
    const figures = `${microseconds(agent)}, insert ${microseconds(plain)}; its bytes alone ${microseconds(bytes)}`;
    lines.push({ kind: 'measured', goal: 2, what, measured: ratios(agent, plain), target, figures });
  }
  return lines;
}
