import { z } from 'zod';
import { runContender, startBenchService } from '../contender.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, measuredLine, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[17];
const applyAfterMs = 200;
const result = z.object({ bytesPerSale: z.number() });

/** Goal 17: what each online sale writes to the log: the wear of a till's disk. */
export async function measureLogBytes({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const sales = isQuick ? 5 : 10;
  const service = await startBenchService({ applyAfterMs });
  try {
    // Side by side: they wait for the next poll most of the time, and bytes do not depend on the load.
    const runs = await Promise.all(
      Array.from({ length: rounds }, () =>
        runContender({
          name: 'online-sale',
          input: { dataDir: work.folder('log-bytes'), baseUrl: service.baseUrl, sales },
          result,
        }),
      ),
    );
    const measured = spreadOf(runs.map(({ bytesPerSale }) => bytesPerSale / 1_000));
    return [measuredLine(limits.logBytes, measured, `${sales} sales a round, one after another`)];
  } finally {
    await service.stop();
  }
}
