import { join } from 'node:path';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { atLeast, type GoalLine, spreadOf } from '../measure.ts';
import { shimEnvironment } from '../sync-shim.ts';
import type { GoalContext } from './context.ts';

const earns = 200;

/** Goal 1: a saved sale is a synced sale. */
export async function measureDurability({ work, shim }: GoalContext): Promise<readonly GoalLine[]> {
  const what = `${earns} sales one after another make syncs; synchronous stays 2`;
  const target = atLeast(earns, ' syncs');
  if (shim.kind === 'missing') return [{ kind: 'skipped', goal: 1, what, target, reason: shim.reason }];
  const { syncs, synchronous } = await countSyncs(work.folder('syncs'), shim.library);
  // A level other than 2 makes the line miss whatever was counted: the count could be luck.
  const measured = spreadOf([synchronous === 2 ? syncs : 0]);
  return [{ kind: 'measured', goal: 1, what, measured, target, figures: `${syncs} syncs, synchronous=${synchronous}` }];
}

/** Saves 200 sales in a process whose syncs are counted. */
export function countSyncs(
  dataDir: string,
  library: string,
): Promise<{ readonly syncs: number; readonly synchronous: number }> {
  const counterFile = join(dataDir, 'syncs');
  return runContender({
    name: 'syncs',
    input: { dataDir, counterFile, earns },
    result: z.object({ syncs: z.int(), synchronous: z.int() }),
    environment: shimEnvironment({ library, counterFile, delayMs: 0 }),
  });
}
