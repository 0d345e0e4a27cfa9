import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { leastInRush } from '../../../app/operations/delivery/in-flight-limit.ts';
import { runContender, startBenchService } from '../contender.ts';
import { milliseconds, perSecond, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type Curve, type GoalLine, inTurns, measuredLine, percentile, ratios, spreadOf } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[12];
const everyMs = 2;
/** In percent: so many of the sales took at most as long. */
const shownRanks = [1, 5, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95];
const result = z.object({ tookMs: z.array(z.number()), sentPerSecond: z.number() });

/** Goal 12: the till goes on selling while a backlog leaves. */
export async function measureSaveWhileSending({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const rows = isQuick ? 10_000 : 30_000;
  const file = fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now() });
  const service = await startBenchService();
  const saves = async (baseUrl: string | null) => {
    const dataDir = work.folder('save-while-sending');
    copyFileSync(file, join(dataDir, 'production.sqlite'));
    const input = { dataDir, baseUrl, rows, savesAtRest: isQuick ? 500 : 1_500, everyMs };
    const measured = await runContender({ name: 'save-while-sending', input, result });
    rmSync(dataDir, { recursive: true });
    return measured;
  };
  const floor = async () => {
    const dataDir = work.folder('save-beside-bare');
    const input = { file, dataDir, baseUrl: service.baseUrl, inFlight: leastInRush, everyMs };
    const measured = await runContender({ name: 'save-beside-bare', input, result });
    rmSync(dataDir, { recursive: true });
    return measured;
  };
  try {
    const runs = await inTurns(rounds, { sending: () => saves(service.baseUrl), idle: () => saves(null), floor });
    const at = (rank: number, from: (typeof runs)['idle']) => from.map(({ tookMs }) => percentile(tookMs, rank));
    const [sending, idle] = [at(50, runs.sending), at(50, runs.idle)];
    const slowest = at(99.9, runs.sending);
    const floorRatios = ratios(at(50, runs.floor), idle);
    const bare = `the floor ${times(floorRatios)}`;
    const sales = spreadOf(runs.sending.map(({ tookMs }) => tookMs.length)).median;
    const sent = perSecond(runs.sending.map(({ sentPerSecond }) => sentPerSecond));
    const curves = [latencyCurve('while a backlog is sent', runs.sending), latencyCurve('nothing is sent', runs.idle)];
    return [
      {
        ...measuredLine(
          limits.p50,
          ratios(sending, idle),
          `${milliseconds(sending)}, idle ${milliseconds(idle)}; a sale each ${everyMs} ms, ${sent} sent beside them; ${bare}`,
          floorRatios,
        ),
        curves,
      },
      measuredLine(
        limits.p999,
        spreadOf(slowest),
        `of ${sales.toLocaleString('en')} sales in a round; the slowest ${milliseconds(at(100, runs.sending))}; idle p99.9 ${milliseconds(at(99.9, runs.idle))}, the floor ${milliseconds(at(99.9, runs.floor))}`,
        spreadOf(at(99.9, runs.floor)),
      ),
    ];
  } finally {
    await service.stop();
  }
}

/** Milliseconds over the rank in percent, of the sales of all rounds. */
function latencyCurve(name: string, runs: readonly { readonly tookMs: readonly number[] }[]): Curve {
  const tookMs = runs.flatMap((run) => run.tookMs);
  return { name, points: shownRanks.map((rank) => [rank, Number(percentile(tookMs, rank).toFixed(3))]) };
}
