import { setTimeout as sleep } from 'node:timers/promises';
import { bareNodeMs, startBuiltAgent } from '../agent-program.ts';
import { dropFromCache } from '../cold-files.ts';
import { startBenchService } from '../contender.ts';
import { megabytes, milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, inTurns, type Limit, measuredLine, ratios, skippedLine, spreadOf } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[9];

/** Goal 9: a till is ready at once, however much waits, and stays small. */
export async function measureStart(context: GoalContext): Promise<readonly GoalLine[]> {
  const folders = {
    empty: context.work.folder('empty'),
    full: context.work.folder('full'),
    sandbox: context.work.folder('sandbox'),
  };
  return [...(await readyLines(context, folders)), ...(await residentLines(context))];
}

async function readyLines(
  { rounds, isQuick, say }: GoalContext,
  { empty, full, sandbox }: Readonly<Record<'empty' | 'full' | 'sandbox', string>>,
): Promise<readonly GoalLine[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  say(`  filling a queue with ${rows.toLocaleString('en')} sales …`);
  fillBacklog(full, { mode: 'production', rows, savedAtMs: Date.now() });
  const contenders = {
    full: () => readyMs(full, 'production'),
    empty: () => readyMs(empty, 'production'),
    bareNode: () => bareNodeMs(),
    sandbox: () => readyMs(sandbox, 'sandbox'),
  };
  // The first starts make the databases and fill the compile cache.
  await inTurns(2, contenders);
  const times = await inTurns(rounds, contenders);
  return [
    measuredLine(
      limits.waiting,
      ratios(times.full, times.empty),
      `with ${rows.toLocaleString('en')} ${milliseconds(times.full)}, with none ${milliseconds(times.empty)}`,
    ),
    measuredLine(
      limits.production,
      ratios(times.empty, times.bareNode),
      `${milliseconds(times.empty)}, node ${milliseconds(times.bareNode)}`,
    ),
    measuredLine(limits.sandbox, ratios(times.sandbox, times.bareNode), milliseconds(times.sandbox)),
    await coldLine(empty, rounds),
  ];
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
  const lines: GoalLine[] = [];
  try {
    for (const { limit, options } of kinds) {
      lines.push(
        await residentLine(limit, { restMs, rounds, start: () => startBuiltAgent(work.folder('rest'), options) }),
      );
    }
  } finally {
    await service.stop();
  }
  return lines;
}

async function residentLine(
  limit: Limit,
  run: {
    readonly restMs: number;
    readonly rounds: number;
    readonly start: () => ReturnType<typeof startBuiltAgent>;
  },
): Promise<GoalLine> {
  const agents: Awaited<ReturnType<typeof startBuiltAgent>>[] = [];
  try {
    for (let round = 0; round < run.rounds; round += 1) agents.push(await run.start());
    await sleep(run.restMs);
    const values = agents.map((agent) => agent.residentMb());
    const known = values.filter((value) => value !== null);
    if (known.length < values.length) return skippedLine(limit, 'the system does not tell');
    return measuredLine(limit, spreadOf(known), `${megabytes(known)} after ${run.restMs / 1_000} s`);
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
  }
}
