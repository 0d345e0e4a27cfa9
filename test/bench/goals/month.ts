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

/** On what the month has left. */
async function killLine({ rounds }: GoalContext, dataDir: string): Promise<GoalLine> {
  const start = () => startBuiltAgent(dataDir, { mode: 'production' });
  let number = 0;
  async function sell(agent: BuiltAgent): Promise<void> {
    const program = await openPosProgram(agent);
    for (let sale = 0; sale < salesBeforeKill; sale += 1) {
      number += 1;
      await program.earn(number);
    }
    program.close();
  }
  const readyAfter = (end: (agent: BuiltAgent) => Promise<void>) => async () => {
    const before = await start();
    await sell(before);
    await end(before);
    const agent = await start();
    await agent.stop();
    return agent.readyMs;
  };
  const contenders = { kill: readyAfter((agent) => agent.kill()), goodEnd: readyAfter((agent) => agent.stop()) };
  await inTurns(1, contenders);
  const times = await inTurns(rounds, contenders);
  const figures = `${milliseconds(times.kill)}, after a good end ${milliseconds(times.goodEnd)}`;
  return measuredLine(limits.afterKill, differences(times.kill, times.goodEnd), figures);
}
