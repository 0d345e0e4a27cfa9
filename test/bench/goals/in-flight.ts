import { join } from 'node:path';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { atLeast, type GoalLine, ratios, spreadOf } from '../measure.ts';
import { shimEnvironment } from '../sync-shim.ts';
import type { GoalContext } from './context.ts';

const producers = 16;
const rates = z.array(z.number());
const result = z.object({ agent: rates, commitEach: rates, plainjob: rates.optional() });

/** Goal 3: many tills share one sync. */
export async function measureInFlight({ work, shim, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const base = { rounds, producers };
  const fast = await runContender({
    name: 'in-flight',
    input: {
      ...base,
      dataDir: work.folder('in-flight'),
      earnsPerRound: isQuick ? 4_000 : 16_000,
      commitEachPerRound: isQuick ? 500 : 2_000,
      withPlainjob: true,
    },
    result,
  });
  const lines: GoalLine[] = [
    {
      kind: 'measured',
      goal: 3,
      what: `${producers} at once, sales a second, against one commit each`,
      measured: ratios(fast.agent, fast.commitEach),
      target: atLeast(5),
      figures: `${rate(fast.agent)}, each ${rate(fast.commitEach)}`,
    },
    {
      kind: 'measured',
      goal: 3,
      what: 'the same against plainjob as shipped (not durable)',
      measured: ratios(fast.agent, fast.plainjob ?? []),
      target: atLeast(1.4),
      figures: `plainjob ${rate(fast.plainjob ?? [])}`,
    },
  ];
  const slowWhat = `${producers} at once against one commit each, at +5 ms for each sync`;
  if (shim.kind === 'missing') {
    return [...lines, { kind: 'skipped', goal: 3, what: slowWhat, target: atLeast(12), reason: shim.reason }];
  }
  const dataDir = work.folder('in-flight-slow');
  const slow = await runContender({
    name: 'in-flight',
    input: {
      ...base,
      dataDir,
      earnsPerRound: isQuick ? 640 : 1_600,
      commitEachPerRound: isQuick ? 40 : 100,
      withPlainjob: false,
    },
    result,
    environment: shimEnvironment({ library: shim.library, counterFile: join(dataDir, 'syncs'), delayMs: 5 }),
  });
  lines.push({
    kind: 'measured',
    goal: 3,
    what: slowWhat,
    measured: ratios(slow.agent, slow.commitEach),
    target: atLeast(12),
    figures: `${rate(slow.agent)}, each ${rate(slow.commitEach)}`,
  });
  return lines;
}

function rate(values: readonly number[]): string {
  return `${Math.round(spreadOf(values).median).toLocaleString('en')}/s`;
}
