import { rmSync } from 'node:fs';
import { z } from 'zod';
import { runContender } from '../contender.ts';
import { microseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, type Limit, measuredLine, ratios, spreadOf } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[10];
const costs = z.object({ small: z.array(z.number()), large: z.array(z.number()) });
type Costs = z.output<typeof costs>;
const few = 1_000;

/** Goal 10: a till that was offline for weeks is as quick as on its first day. */
export async function measureQueueSize({
  work,
  rounds,
  isQuick,
  longQueue,
}: GoalContext): Promise<readonly GoalLine[]> {
  const most = longQueue.rows;
  const smallDir = work.folder('queue-size');
  fillBacklog(smallDir, { mode: 'production', rows: few, savedAtMs: Date.now(), isSealed: false });
  const largeDir = longQueue.newDataDir();
  const { claim, save, status } = await runContender({
    name: 'queue-size',
    input: {
      smallDir,
      largeDir,
      rounds,
      savesPerRound: isQuick ? 300 : 1_000,
      claimsPerRound: isQuick ? 20 : 100,
    },
    result: z.object({ claim: costs, save: costs, status: costs }),
  });
  rmSync(largeDir, { recursive: true });
  const figures = ({ large, small }: Costs) =>
    `with ${most.toLocaleString('en')} ${microseconds(large)}, with ${few.toLocaleString('en')} ${microseconds(small)}`;
  const ratioLine = (limit: Limit, cost: Costs) => measuredLine(limit, ratios(cost.large, cost.small), figures(cost));
  return [
    ratioLine(limits.claim, claim),
    ratioLine(limits.save, save),
    measuredLine(limits.status, spreadOf(status.large), figures(status)),
  ];
}
