import { z } from 'zod';
import { runContender, startBenchService } from '../contender.ts';
import { type Drained, drainBare, drainWithAgent } from '../drains.ts';
import { megabytes } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { differences, type GoalLine, inTurns, measuredLine } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[8];
const result = z.object({ residentMb: z.number() });

/** Goal 8: what waits stays on the disk. */
export async function measureMemory(context: GoalContext): Promise<readonly GoalLine[]> {
  const service = await startBenchService();
  try {
    return [await waitingLine(context, service.baseUrl), await peakLine(context, service.baseUrl)];
  } finally {
    await service.stop();
  }
}

/** The same folders in each round: a round sends some hundred sales of them, and the rest goes on waiting. */
async function waitingLine({ work, rounds, isQuick, say }: GoalContext, baseUrl: string): Promise<GoalLine> {
  const [many, few] = [isQuick ? 100_000 : 1_000_000, 1_000];
  say(`  filling a queue with ${many.toLocaleString('en')} sales …`);
  const firstRowOut = async (dataDir: string) =>
    (await runContender({ name: 'first-row-out', input: { dataDir, baseUrl }, result })).residentMb;
  const fill = (rows: number) => {
    const dataDir = work.folder('first-row-out');
    fillBacklog(dataDir, { mode: 'production', rows, savedAtMs: Date.now() });
    return dataDir;
  };
  const large = fill(many);
  const residentMb = await inTurns(rounds, {
    many: () => firstRowOut(large),
    few: () => firstRowOut(fill(few)),
  });
  return measuredLine(
    limits.waiting,
    differences(residentMb.many, residentMb.few),
    `with ${many.toLocaleString('en')} ${megabytes(residentMb.many)}, with ${few.toLocaleString('en')} ${megabytes(residentMb.few)}`,
  );
}

async function peakLine({ work, rounds, isQuick }: GoalContext, baseUrl: string): Promise<GoalLine> {
  const rows = isQuick ? 10_000 : 30_000;
  const file = fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now() });
  const drain = { file, rows, baseUrl };
  const runs = await inTurns<'agent' | 'bare', Drained>(rounds, {
    agent: () => drainWithAgent(work, drain),
    bare: () => drainBare(drain),
  });
  const [agent, bare] = [peaksOf(runs.agent), peaksOf(runs.bare)];
  const figures = `${rows.toLocaleString('en')} sales: ${megabytes(agent)}, bare ${megabytes(bare)}`;
  return measuredLine(limits.peak, differences(agent, bare), figures);
}

const peaksOf = (runs: readonly Drained[]): readonly number[] => runs.map(({ peakMb }) => peakMb);
