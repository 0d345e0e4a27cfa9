import { type BenchService, type BenchServiceOptions, startBenchService } from '../contender.ts';
import {
  besideFloor,
  type Drain,
  type Drained,
  drainBare,
  drainWithAgent,
  drainWithDuties,
  ratesOf,
} from '../drains.ts';
import { perSecond, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, inTurns, type Limit, measuredLine, ratios, skippedLine } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[6];
const syncDelayMs = 5;
const serviceDelayMs = 20;

/** Goal 6: what is slow is waited for once, and not for each sale. */
export async function measureSlowLine(context: GoalContext): Promise<readonly GoalLine[]> {
  return [
    await onSlowDisk(context),
    await onSlowLine(context, { limit: limits.slowLineEight, inFlight: 8, rows: { full: 3_000, quick: 800 } }),
    await onSlowLine(context, { limit: limits.slowLineMany, inFlight: 32, rows: { full: 8_000, quick: 2_500 } }),
  ];
}

async function onSlowDisk({ work, shim, rounds, isQuick }: GoalContext): Promise<GoalLine> {
  if (shim.kind === 'missing') return skippedLine(limits.slowDisk, shim.reason);
  const slowDisk = { library: shim.library, delayMs: syncDelayMs };
  return withService({}, async ({ baseUrl }) => {
    const drain = { ...backlog(work, { rows: isQuick ? 5_000 : 30_000, baseUrl }), slowDisk };
    return lineOf(limits.slowDisk, await drainedInTurns({ work, rounds }, drain));
  });
}

async function onSlowLine(
  { work, rounds, isQuick }: GoalContext,
  line: {
    readonly limit: Limit;
    readonly inFlight: number;
    readonly rows: { readonly full: number; readonly quick: number };
  },
): Promise<GoalLine> {
  return withService({ delayMs: serviceDelayMs }, async ({ baseUrl }) => {
    const rows = isQuick ? line.rows.quick : line.rows.full;
    const drain = { ...backlog(work, { rows, baseUrl }), inFlight: line.inFlight };
    return lineOf(line.limit, await drainedInTurns({ work, rounds }, drain));
  });
}

type Runs = Readonly<Record<'agent' | 'bare' | 'floor', readonly Drained[]>>;

function drainedInTurns({ work, rounds }: Pick<GoalContext, 'work' | 'rounds'>, drain: Drain): Promise<Runs> {
  return inTurns<keyof Runs, Drained>(rounds, {
    agent: () => drainWithAgent(work, drain),
    bare: () => drainBare(drain),
    floor: () => drainWithDuties(work, drain, 'settle'),
  });
}

function lineOf(limit: Limit, { agent, bare, floor }: Runs): GoalLine {
  const [agentRates, bareRates] = [ratesOf(agent), ratesOf(bare)];
  const floorRatios = ratios(ratesOf(floor), bareRates);
  const duties = `bare with the agent's duties ${times(floorRatios)}`;
  const figures = `${perSecond(agentRates)}, bare ${perSecond(bareRates)}; ${duties}`;
  return measuredLine(
    limit,
    ratios(agentRates, bareRates),
    `${figures}, the agent ${besideFloor(agent, floor)}`,
    floorRatios,
  );
}

function backlog(work: GoalContext['work'], { rows, baseUrl }: Pick<Drain, 'rows' | 'baseUrl'>): Drain {
  const file = fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now() });
  return { file, rows, baseUrl };
}

async function withService<Result>(
  options: BenchServiceOptions,
  run: (service: BenchService) => Promise<Result>,
): Promise<Result> {
  const service = await startBenchService(options);
  try {
    return await run(service);
  } finally {
    await service.stop();
  }
}
