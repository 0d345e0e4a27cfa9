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
/** A full queue takes no sale; these are saved while it is measured. */
const roomForSales = 20_000;

/** Goal 10: a till that was offline for weeks is as quick as on its first day. */
export async function measureQueueSize({ work, rounds, isQuick, say }: GoalContext): Promise<readonly GoalLine[]> {
  const most = (isQuick ? 100_000 : 1_000_000) - roomForSales;
  say(`  filling a queue with ${most.toLocaleString('en')} sales …`);
  const filled = (rows: number) => {
    const dataDir = work.folder('queue-size');
    fillBacklog(dataDir, { mode: 'production', rows, savedAtMs: Date.now() });
    return dataDir;
  };
  const { claim, save, status } = await runContender({
    name: 'queue-size',
    input: {
      smallDir: filled(few),
      largeDir: filled(most),
      rounds,
      savesPerRound: isQuick ? 300 : 1_000,
      claimsPerRound: isQuick ? 20 : 100,
    },
    result: z.object({ claim: costs, save: costs, status: costs }),
  });
  const figures = ({ large, small }: Costs) =>
    `with ${most.toLocaleString('en')} ${microseconds(large)}, with ${few.toLocaleString('en')} ${microseconds(small)}`;
  const ratioLine = (limit: Limit, cost: Costs) => measuredLine(limit, ratios(cost.large, cost.small), figures(cost));
  return [
    ratioLine(limits.claim, claim),
    ratioLine(limits.save, save),
    measuredLine(limits.status, spreadOf(status.large), figures(status)),
  ];
}
