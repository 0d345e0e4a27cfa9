import { join } from 'node:path';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, measuredLine, skippedLine, spreadOf } from '../measure.ts';
import { shimEnvironment } from '../sync-shim.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[1];
const earns = 200;

/** Goal 1: a saved sale is a synced sale. */
export async function measureDurability({ work, shim, rounds }: GoalContext): Promise<readonly GoalLine[]> {
  if (shim.kind === 'missing') return [skippedLine(limits.syncs, shim.reason)];
  const counts: Counted[] = [];
  for (let round = 0; round < rounds; round += 1) counts.push(await countSyncs(work.folder('syncs'), shim.library));
  // A level other than 2 makes the line miss whatever was counted: the count could be luck.
  const measured = spreadOf(counts.map(({ syncs, synchronous }) => (synchronous === 2 ? syncs : 0)));
  const levels = new Set(counts.map(({ synchronous }) => synchronous));
  return [measuredLine(limits.syncs, measured, `synchronous=${[...levels].join(', ')}`)];
}

interface Counted {
  readonly syncs: number;
  readonly synchronous: number;
}

/** Saves 200 sales in a process whose syncs are counted. */
export function countSyncs(dataDir: string, library: string): Promise<Counted> {
  const counterFile = join(dataDir, 'syncs');
  return runContender({
    name: 'syncs',
    input: { dataDir, counterFile, earns },
    result: z.object({ syncs: z.int(), synchronous: z.int() }),
    environment: shimEnvironment({ library, counterFile, delayMs: 0 }),
  });
}
