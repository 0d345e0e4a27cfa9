import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { startBuiltAgent } from '../agent-program.ts';
import { runContender, startBenchService } from '../contender.ts';
import { type Drain, drainBare } from '../drains.ts';
import { megabytes } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { differences, type GoalLine, inTurns, measuredLine, skippedLine } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[8];
const result = z.object({ residentMb: z.number() });
const patienceMs = 60_000;
const lookEveryMs = 50;

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
async function waitingLine({ work, rounds, longQueue }: GoalContext, baseUrl: string): Promise<GoalLine> {
  const [many, few] = [longQueue.rows, 1_000];
  const firstRowOut = async (dataDir: string) =>
    (await runContender({ name: 'first-row-out', input: { dataDir, baseUrl }, result })).residentMb;
  const small = () => {
    const dataDir = work.folder('first-row-out');
    fillBacklog(dataDir, { mode: 'production', rows: few, savedAtMs: Date.now(), isSealed: false });
    return dataDir;
  };
  const large = longQueue.newDataDir();
  const residentMb = await inTurns(rounds, {
    many: () => firstRowOut(large),
    few: () => firstRowOut(small()),
  });
  rmSync(large, { recursive: true });
  return measuredLine(
    limits.waiting,
    differences(residentMb.many, residentMb.few),
    `with ${many.toLocaleString('en')} ${megabytes(residentMb.many)}, with ${few.toLocaleString('en')} ${megabytes(residentMb.few)}`,
  );
}

async function peakLine({ work, rounds, isQuick }: GoalContext, baseUrl: string): Promise<GoalLine> {
  const rows = isQuick ? 10_000 : 30_000;
  const file = fillBacklog(work.folder('backlog'), {
    mode: 'production',
    rows,
    savedAtMs: Date.now(),
    isSealed: false,
  });
  const drain = { file, rows, baseUrl };
  const peaks = await inTurns<'agent' | 'bare', number | null>(rounds, {
    agent: () => builtAgentPeakMb(work, drain),
    bare: async () => (await drainBare(drain)).peakMb,
  });
  const [agent, bare] = [known(peaks.agent), known(peaks.bare)];
  if (agent === null || bare === null) return skippedLine(limits.peak, 'the system does not tell');
  const figures = `${rows.toLocaleString('en')} sales: ${megabytes(agent)}, bare ${megabytes(bare)}`;
  return measuredLine(limits.peak, differences(agent, bare), figures);
}

/** Of the agent as it is shipped: one that Node strips of its types first would have those in its memory. */
async function builtAgentPeakMb(work: GoalContext['work'], { file, rows, baseUrl }: Drain): Promise<number | null> {
  const dataDir = work.folder('drain');
  const database = join(dataDir, 'production.sqlite');
  copyFileSync(file, database);
  const agent = await startBuiltAgent(dataDir, { mode: 'production', baseUrl });
  try {
    await untilAccepted(database, rows);
    return agent.peakMb();
  } finally {
    await agent.stop();
    rmSync(dataDir, { recursive: true });
  }
}

async function untilAccepted(database: string, rows: number): Promise<void> {
  const reader = new BetterSqlite3(database, { readonly: true });
  const accepted = reader.prepare<[], number>(`SELECT count FROM state_counts WHERE state = 'accepted'`).pluck();
  const endMs = performance.now() + patienceMs;
  try {
    while ((accepted.get() ?? 0) < rows) {
      if (performance.now() > endMs) throw new Error(`${accepted.get() ?? 0} of ${rows} sales were accepted in time`);
      await sleep(lookEveryMs);
    }
  } finally {
    reader.close();
  }
}

function known(values: readonly (number | null)[]): readonly number[] | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length < values.length ? null : numbers;
}
