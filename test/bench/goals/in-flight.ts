import { join } from 'node:path';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { perSecond, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, measuredLine, ratios, skippedLine } from '../measure.ts';
import { shimEnvironment } from '../sync-shim.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[3];
const producers = 16;
const rates = z.array(z.number());
const onSlowDiskRates = { agent: rates, commitEach: rates, floor: rates };
const onThisDiskRates = { ...onSlowDiskRates, commitForAll: rates, madeForAll: rates, plainjob: rates };

/** Goal 3: many tills share one sync. */
export async function measureInFlight(context: GoalContext): Promise<readonly GoalLine[]> {
  return [...(await onThisDisk(context)), await onSlowDisk(context)];
}

async function onThisDisk({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const { agent, commitEach, commitForAll, madeForAll, floor, plainjob } = await runContender({
    name: 'in-flight',
    input: {
      dataDir: work.folder('in-flight'),
      rounds,
      producers,
      earnsPerRound: isQuick ? 4_000 : 16_000,
      commitEachPerRound: isQuick ? 500 : 2_000,
      contenders: Object.keys(onThisDiskRates),
    },
    result: z.object(onThisDiskRates),
  });
  const floors = (yardstick: readonly number[]) =>
    [
      `the bare insert with one for ${producers} ${times(ratios(commitForAll, yardstick))}`,
      `rows made and sealed ${times(ratios(madeForAll, yardstick))}`,
      `with all that nobody can leave out ${times(ratios(floor, yardstick))}, the agent ${times(ratios(agent, floor))} of it`,
    ].join('; ');
  return [
    measuredLine(
      limits.commitEach,
      ratios(agent, commitEach),
      `${perSecond(agent)}, a commit for each ${perSecond(commitEach)}; ${floors(commitEach)}`,
      ratios(floor, commitEach),
    ),
    measuredLine(
      limits.plainjob,
      ratios(agent, plainjob),
      `plainjob ${perSecond(plainjob)}; of it ${floors(plainjob)}`,
      ratios(floor, plainjob),
    ),
  ];
}

async function onSlowDisk({ work, shim, rounds, isQuick }: GoalContext): Promise<GoalLine> {
  if (shim.kind === 'missing') return skippedLine(limits.slowDisk, shim.reason);
  const dataDir = work.folder('in-flight-slow');
  const { agent, commitEach, floor } = await runContender({
    name: 'in-flight',
    input: {
      dataDir,
      rounds,
      producers,
      earnsPerRound: isQuick ? 640 : 1_600,
      commitEachPerRound: isQuick ? 40 : 100,
      contenders: Object.keys(onSlowDiskRates),
    },
    result: z.object(onSlowDiskRates),
    environment: shimEnvironment({ library: shim.library, counterFile: join(dataDir, 'syncs'), delayMs: 5 }),
  });
  return measuredLine(
    limits.slowDisk,
    ratios(agent, commitEach),
    `${perSecond(agent)}, a commit for each ${perSecond(commitEach)}; with all that nobody can leave out ${times(ratios(floor, commitEach))}, the agent ${times(ratios(agent, floor))} of it`,
    ratios(floor, commitEach),
  );
}
