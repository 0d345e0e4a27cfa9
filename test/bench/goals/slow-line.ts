import { type BenchService, type BenchServiceOptions, startBenchService } from '../contender.ts';
import { type Drain, type Drained, drainBare, drainWithAgent, ratesOf } from '../drains.ts';
import { perSecond } from '../figures.ts';
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
    const drain = backlog(work, { rows: isQuick ? 5_000 : 30_000, baseUrl });
    const runs = await inTurns<'agent' | 'bare', Drained>(rounds, {
      agent: () => drainWithAgent(work, { ...drain, slowDisk }),
      bare: () => drainBare(drain),
    });
    return lineOf(limits.slowDisk, runs);
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
    const runs = await inTurns<'agent' | 'bare', Drained>(rounds, {
      agent: () => drainWithAgent(work, drain),
      bare: () => drainBare(drain),
    });
    return lineOf(line.limit, runs);
  });
}

function lineOf(limit: Limit, { agent, bare }: Readonly<Record<'agent' | 'bare', readonly Drained[]>>): GoalLine {
  const [agentRates, bareRates] = [ratesOf(agent), ratesOf(bare)];
  return measuredLine(limit, ratios(agentRates, bareRates), `${perSecond(agentRates)}, bare ${perSecond(bareRates)}`);
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
