import { z } from 'zod';
import { runContender, startBenchService } from '../contender.ts';
import { milliseconds, perSecond } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, measuredLine, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[19];
/** As the specification says: within a second or two. */
const applyAfterMs = 1_000;
const salesPerSecond = 1_000;
const result = z.object({
  longestMs: z.number(),
  medianMs: z.number(),
  knownCount: z.int(),
  savedPerSecond: z.number(),
});

/** Goal 19: the agent asks as often as a busy shop needs. */
export async function measurePolls({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const seconds = isQuick ? 3 : 10;
  const service = await startBenchService({ applyAfterMs });
  const runs: z.output<typeof result>[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = work.folder('polls');
      const input = {
        dataDir,
        baseUrl: service.baseUrl,
        salesPerSecond,
        seconds,
        patienceMs: isQuick ? 10_000 : 20_000,
      };
      runs.push(await runContender({ name: 'polls', input, result }));
    }
  } finally {
    await service.stop();
  }
  const known = spreadOf(runs.map(({ knownCount }) => knownCount)).median;
  const figures = [
    `applied after ${applyAfterMs} ms; known after ${milliseconds(runs.map(({ medianMs }) => medianMs))} (median)`,
    `at the longest ${milliseconds(runs.map(({ longestMs }) => longestMs))}`,
    `${known.toLocaleString('en')} of ${(salesPerSecond * seconds).toLocaleString('en')} known at the end`,
    `${perSecond(runs.map(({ savedPerSecond }) => savedPerSecond))} saved`,
  ];
  return [
    measuredLine(limits.wait, spreadOf(runs.map(({ longestMs }) => longestMs / applyAfterMs)), figures.join('; ')),
  ];
}
