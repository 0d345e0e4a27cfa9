import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BenchService, runContender, startBenchService } from '../contender.ts';
import { atLeast, type GoalLine, inTurns, ratios, spreadOf } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const result = z.object({ rowsPerSecond: z.number(), peakMb: z.number() });

/** Goal 5: a backlog leaves almost as fast as the bare HTTP client could send it. */
export async function measureDrain(context: GoalContext): Promise<readonly GoalLine[]> {
  const { work, rounds, isQuick } = context;
  const rows = isQuick ? 10_000 : 30_000;
  const file = fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now() });
  const service = await startBenchService();
  const { baseUrl } = service;
  const peaksMb: { agent: number[]; bare: number[] } = { agent: [], bare: [] };
  try {
    const rates = await inTurns(rounds, {
      agent: async () => {
        const drained = await drainWithAgent(context, { file, rows, service });
        peaksMb.agent.push(drained.peakMb);
        return drained.rowsPerSecond;
      },
      bare: async () => {
        const drained = await runContender({ name: 'drain-bare', input: { file, baseUrl }, result });
        peaksMb.bare.push(drained.peakMb);
        return drained.rowsPerSecond;
      },
      plainjob: () => drainWithPlainjob(context, { file, baseUrl, isDurable: false }),
      durablePlainjob: () => drainWithPlainjob(context, { file, baseUrl, isDurable: true }),
    });
    const rate = (values: readonly number[]) => `${Math.round(spreadOf(values).median).toLocaleString('en')}/s`;
    const peak = (values: readonly number[]) => `${Math.round(spreadOf(values).median)} MB`;
    const against = (what: string, partners: readonly number[], least: number, figures: string): GoalLine => ({
      kind: 'measured',
      goal: 5,
      what,
      measured: ratios(rates.agent, partners),
      target: atLeast(least),
      figures,
    });
    return [
      against(
        `send ${rows.toLocaleString('en')} waiting sales, against bare undici`,
        rates.bare,
        0.85,
        `${rate(rates.agent)} (peak ${peak(peaksMb.agent)}), bare ${rate(rates.bare)} (${peak(peaksMb.bare)})`,
      ),
      against('the same against plainjob as shipped', rates.plainjob, 3, `plainjob ${rate(rates.plainjob)}`),
      against(
        'the same against plainjob made durable',
        rates.durablePlainjob,
        7,
        `plainjob ${rate(rates.durablePlainjob)}`,
      ),
    ];
  } finally {
    await service.stop();
  }
}

/** Sends a copy of a backlog with the agent's core. */
export async function drainWithAgent(
  { work }: Pick<GoalContext, 'work'>,
  drain: {
    readonly file: string;
    readonly rows: number;
    readonly service: BenchService;
    readonly nodeFlags?: readonly string[];
  },
): Promise<z.output<typeof result>> {
  const dataDir = work.folder('drain');
  copyFileSync(drain.file, join(dataDir, 'production.sqlite'));
  const input = { dataDir, baseUrl: drain.service.baseUrl, rows: drain.rows };
  const drained = await runContender({ name: 'drain-agent', input, result, nodeFlags: drain.nodeFlags });
  rmSync(dataDir, { recursive: true });
  return drained;
}

async function drainWithPlainjob(
  { work }: GoalContext,
  drain: { readonly file: string; readonly baseUrl: string; readonly isDurable: boolean },
): Promise<number> {
  const dataDir = work.folder('plainjob');
  const { rowsPerSecond } = await runContender({ name: 'drain-plainjob', input: { ...drain, dataDir }, result });
  rmSync(dataDir, { recursive: true });
  return rowsPerSecond;
}
