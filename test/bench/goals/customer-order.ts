import { startBenchService } from '../contender.ts';
import { type Drained, drainBare, drainWithAgent, ratesOf } from '../drains.ts';
import { perSecond } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, inTurns, measuredLine, ratios } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[7];

/** Goal 7: one customer's sales go one after another, and others' need not wait for that. */
export async function measureCustomerOrder({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const service = await startBenchService();
  const backlogOf = (customers: number, rows: number) => ({
    file: fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now(), customers }),
    rows,
    baseUrl: service.baseUrl,
  });
  try {
    const rows = isQuick ? 8_000 : 30_000;
    const [few, many] = [backlogOf(8, rows), backlogOf(5_000, rows)];
    const one = backlogOf(1, isQuick ? 1_500 : 6_000);
    const runs = await inTurns<'few' | 'many' | 'one' | 'bare', Drained>(rounds, {
      few: () => drainWithAgent(work, few),
      many: () => drainWithAgent(work, many),
      one: () => drainWithAgent(work, one),
      bare: () => drainBare({ ...one, inFlight: 1 }),
    });
    const rates = {
      few: ratesOf(runs.few),
      many: ratesOf(runs.many),
      one: ratesOf(runs.one),
      bare: ratesOf(runs.bare),
    };
    return [
      measuredLine(
        limits.eightCustomers,
        ratios(rates.few, rates.many),
        `8 customers ${perSecond(rates.few)}, 5,000 customers ${perSecond(rates.many)}`,
      ),
      measuredLine(
        limits.oneCustomer,
        ratios(rates.one, rates.bare),
        `${perSecond(rates.one)}, bare ${perSecond(rates.bare)}`,
      ),
    ];
  } finally {
    await service.stop();
  }
}
