import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltAgent, bareNodeMs, startBuiltAgent, startFloorMs } from '../agent-program.ts';
import { dropFromCache } from '../cold-files.ts';
import { startBenchService } from '../contender.ts';
import { megabytes, milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { buildKeptFloor, type KeptFloor } from '../kept-floor.ts';
import { type GoalLine, inTurns, type Limit, measuredLine, ratios, skippedLine, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[9];

/** Goal 9: a till is ready at once, however much waits, and stays small. */
export async function measureStart(context: GoalContext): Promise<readonly GoalLine[]> {
  const folders = {
    empty: context.work.folder('empty'),
    full: context.longQueue.newDataDir(),
    sandbox: context.work.folder('sandbox'),
  };
  const ready = await readyLines(context, folders);
  rmSync(folders.full, { recursive: true });
  return [...ready, ...(await residentLines(context))];
}

async function readyLines(
  { work, rounds, longQueue: { rows } }: GoalContext,
  { empty, full, sandbox }: Readonly<Record<'empty' | 'full' | 'sandbox', string>>,
): Promise<readonly GoalLine[]> {
  const openedFile = join(work.folder('opened'), 'opened.sqlite');
  const keptFloor = await buildKeptFloor(work.folder('kept-floor'));
  const contenders = {
    full: () => readyMs(full, 'production'),
    empty: () => readyMs(empty, 'production'),
    bareNode: () => bareNodeMs(),
    opened: () => startFloorMs(openedFile),
    served: () => readyMsOf(keptFloor.start()),
    floor: () => readyMsOf(keptFloor.startTill()),
    sandboxFloor: () => readyMsOf(keptFloor.startSandbox()),
    sandbox: () => readyMs(sandbox, 'sandbox'),
  };
  // The first starts make the databases and fill the compile cache.
  await inTurns(2, contenders);
  const times = await inTurns(rounds, contenders);
  const besideNode = (took: readonly number[]) => ratios(took, times.bareNode);
  const [opened, served, floor] = [besideNode(times.opened), besideNode(times.served), besideNode(times.floor)];
  const sandboxFloor = besideNode(times.sandboxFloor);
  const steps = [
    `${milliseconds(times.empty)}, node ${milliseconds(times.bareNode)}`,
    `node that opens a database and listens ${milliseconds(times.opened)}, ${opened.median.toFixed(2)}x`,
    `with all that nobody can leave out who serves POS programs, built as the agent is, ${milliseconds(times.served)}, ${served.median.toFixed(2)}x`,
    `with what every till has before its first sale ${milliseconds(times.floor)}, ${floor.median.toFixed(2)}x`,
  ];
  return [
    measuredLine(
      limits.waiting,
      ratios(times.full, times.empty),
      `with ${rows.toLocaleString('en')} ${milliseconds(times.full)}, with none ${milliseconds(times.empty)}`,
    ),
    measuredLine(limits.production, besideNode(times.empty), steps.join('; '), floor),
    measuredLine(
      limits.sandbox,
      besideNode(times.sandbox),
      `${milliseconds(times.sandbox)}; the floor, with a service in it, ${milliseconds(times.sandboxFloor)}`,
      sandboxFloor,
    ),
    await coldLine(empty, rounds),
  ];
}

async function readyMsOf(starting: ReturnType<KeptFloor['start']>): Promise<number> {
  const floor = await starting;
  await floor.stop();
  return floor.readyMs;
}

async function readyMs(dataDir: string, mode: 'production' | 'sandbox'): Promise<number> {
  const agent = await startBuiltAgent(dataDir, { mode });
  await agent.stop();
  return agent.readyMs;
}

/** As after the till was switched on: what is the agent's own comes from the disk. Node itself stays in the cache. */
async function coldLine(dataDir: string, rounds: number): Promise<GoalLine> {
  const dropped = dropFromCache(dataDir);
  if (dropped.kind === 'impossible') return skippedLine(limits.cold, dropped.reason);
  const times = await inTurns(rounds, {
    cold() {
      dropFromCache(dataDir);
      return readyMs(dataDir, 'production');
    },
    warm: () => readyMs(dataDir, 'production'),
  });
  const figures = `${milliseconds(times.cold)}, warm ${milliseconds(times.warm)}; ${dropped.files} files dropped`;
  return measuredLine(limits.cold, ratios(times.cold, times.warm), figures);
}

/** All at once, since they rest: each is a process of its own, and what is measured is its memory. */
async function residentLines({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const restMs = isQuick ? 5_000 : 60_000;
  const service = await startBenchService();
  const kinds = [
    { limit: limits.residentProduction, options: { mode: 'production' } },
    { limit: limits.residentOnline, options: { mode: 'production', baseUrl: service.baseUrl } },
    { limit: limits.residentSandbox, options: { mode: 'sandbox' } },
  ] as const;
  const agents: { readonly limit: Limit; readonly agent: BuiltAgent }[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const { limit, options } of kinds) {
        agents.push({ limit, agent: await startBuiltAgent(work.folder('rest'), options) });
      }
    }
    await sleep(restMs);
    return kinds.map(({ limit }) =>
      residentLine(
        limit,
        agents.filter((one) => one.limit === limit).map(({ agent }) => agent.residentMb()),
        restMs,
      ),
    );
  } finally {
    await Promise.all([...agents.map(({ agent }) => agent.stop()), service.stop()]);
  }
}

function residentLine(limit: Limit, values: readonly (number | null)[], restMs: number): GoalLine {
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return skippedLine(limit, 'the system does not tell');
  return measuredLine(limit, spreadOf(known), `${megabytes(known)} after ${restMs / 1_000} s`);
}
