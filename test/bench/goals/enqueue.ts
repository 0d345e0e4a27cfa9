import { join } from 'node:path';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { microseconds, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, type Limit, measuredLine, ratios, skippedLine } from '../measure.ts';
import { shimEnvironment } from '../sync-shim.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[2];

interface Case {
  readonly limit: Limit;
  readonly delayMs: number;
  readonly earns: { readonly full: number; readonly quick: number };
}

const cases: readonly Case[] = [
  { limit: limits.save, delayMs: 0, earns: { full: 1_000, quick: 300 } },
  { limit: limits.slowDisk, delayMs: 5, earns: { full: 100, quick: 40 } },
];

const p50s = z.array(z.number());
const result = z.object({ agent: p50s, plain: p50s, made: p50s, floor: p50s, bytes: p50s, plainjob: p50s });

/** Goal 2: what the agent adds to the time that the disk takes. */
export async function measureEnqueue(context: GoalContext): Promise<readonly GoalLine[]> {
  const lines: GoalLine[] = [];
  for (const one of cases) lines.push(await measureCase(context, one));
  return lines;
}

async function measureCase(
  { work, shim, rounds, isQuick }: GoalContext,
  { limit, delayMs, earns }: Case,
): Promise<GoalLine> {
  if (delayMs > 0 && shim.kind === 'missing') return skippedLine(limit, shim.reason);
  const dataDir = work.folder('enqueue');
  const { agent, plain, made, floor, bytes, plainjob } = await runContender({
    name: 'enqueue',
    input: { dataDir, rounds, earnsPerRound: isQuick ? earns.quick : earns.full },
    result,
    environment:
      delayMs > 0 && shim.kind === 'ready'
        ? shimEnvironment({ library: shim.library, counterFile: join(dataDir, 'syncs'), delayMs })
        : undefined,
  });
  const figures = [
    `${microseconds(agent)}, insert ${microseconds(plain)}`,
    `made, sealed and inserted ${microseconds(made)}, ${times(ratios(made, plain))}`,
    `with all that nobody can leave out ${microseconds(floor)}, ${times(ratios(floor, plain))}`,
    `its bytes alone ${microseconds(bytes)}`,
    `plainjob, not durable, ${microseconds(plainjob)}`,
  ].join('; ');
  return measuredLine(limit, ratios(agent, plain), figures, ratios(floor, plain));
}
