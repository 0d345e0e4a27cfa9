import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BuiltAgent, startBuiltAgent } from '../agent-program.ts';
import { runContender, startBenchService } from '../contender.ts';
import { milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { watchSize } from '../greatest-size.ts';
import { differences, type GoalLine, inTurns, measuredLine, spreadOf } from '../measure.ts';
import { openPosProgram } from '../pos-program.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[11];
const days = 30;
/** What is settled for so long is erased: day 8 is the first evening with as much erased as added. */
const retentionDays = 7;
const salesBeforeKill = 50;
const startsPerRound = 9;
const result = z.object({ fileBytes: z.array(z.number()), bytesPerReference: z.number() });

/** Goal 11: a disk that was large enough on day 8 is large enough ever after, and a kill costs no time. */
export async function measureMonth(context: GoalContext): Promise<readonly GoalLine[]> {
  const dataDir = context.work.folder('month');
  const sizes = await sizeLines(context, dataDir);
  return [...sizes, await killLine(context, dataDir)];
}

/** One month: it takes the same course each time. */
async function sizeLines({ isQuick }: GoalContext, dataDir: string): Promise<readonly GoalLine[]> {
  const salesPerDay = isQuick ? 160 : 800;
  const service = await startBenchService({ applyAfterMs: 0, hidesTime: true });
  const log = watchSize(join(dataDir, 'production.sqlite-wal'));
  try {
    const input = { dataDir, baseUrl: service.baseUrl, days, salesPerDay, retentionDays };
    const { fileBytes, bytesPerReference } = await runContender({ name: 'month', input, result });
    const [day8, day30] = [fileBytes[7] ?? Number.NaN, fileBytes[days - 1] ?? Number.NaN];
    const erased = (days - 8) * salesPerDay;
    const room = ((limits.growth.value - 1) * day8) / erased;
    const referencesAlone = 1 + (erased * bytesPerReference) / day8;
    const inMb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    return [
      measuredLine(
        limits.growth,
        spreadOf([day30 / day8]),
        `${inMb(day30)} MB, day 8 ${inMb(day8)} MB; ${salesPerDay} sales a day, erased after ${retentionDays} days`,
        spreadOf([referencesAlone]),
      ),
      measuredLine(
        limits.erased,
        spreadOf([(day30 - day8) / erased]),
        `by what the file grew from day 8 to day 30; its reference alone takes ${bytesPerReference.toFixed(0)}, and a file that grows by no more than ${limits.growth.value}x has room for ${room.toFixed(0)}`,
      ),
      measuredLine(limits.log, spreadOf([log.greatestBytes() / 2 ** 20]), 'watched while the month went by'),
    ];
  } finally {
    log.stop();
    await service.stop();
  }
}

/** On what the month has left. One start varies by more than the limit: a round is the median of several. */
async function killLine({ rounds, work }: GoalContext, dataDir: string): Promise<GoalLine> {
  const start = () => startBuiltAgent(dataDir, { mode: 'production' });
  const left = { kill: join(work.path, 'month-killed'), goodEnd: join(work.path, 'month-ended') };
  const beforeKill = await start();
  await sell(beforeKill, salesBeforeKill);
  await beforeKill.kill();
  copyFolder(dataDir, left.kill);
  await (await start()).stop();
  copyFolder(dataDir, left.goodEnd);
  const readyAfter = (folder: string) => async () => {
    rmSync(dataDir, { recursive: true });
    copyFolder(folder, dataDir);
    const agent = await start();
    await agent.stop();
    return agent.readyMs;
  };
  const contenders = { kill: readyAfter(left.kill), goodEnd: readyAfter(left.goodEnd) };
  await inTurns(1, contenders);
  const times: { readonly kill: number[]; readonly goodEnd: number[] } = { kill: [], goodEnd: [] };
  for (let round = 0; round < rounds; round += 1) {
    const starts = await inTurns(startsPerRound, contenders);
    times.kill.push(spreadOf(starts.kill).median);
    times.goodEnd.push(spreadOf(starts.goodEnd).median);
  }
  const figures = `${milliseconds(times.kill)}, after a good end ${milliseconds(times.goodEnd)}; ${startsPerRound} starts of each in a round`;
  return measuredLine(limits.afterKill, differences(times.kill, times.goodEnd), figures);
}

async function sell(agent: BuiltAgent, sales: number): Promise<void> {
  const program = await openPosProgram(agent);
  for (let sale = 1; sale <= sales; sale += 1) await program.earn(sale);
  program.close();
}

/** With the rights of its files: an agent mends a data folder that others may read. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
