import { startBenchService } from '../contender.ts';
import { besideFloor, type Drained, drainBare, drainWithAgent, drainWithDuties, ratesOf } from '../drains.ts';
import { perSecond, times } from '../figures.ts';
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
    const runs = await inTurns<
      'few' | 'many' | 'one' | 'bare' | 'floor' | 'floorEight' | 'floorMany' | 'bareEight' | 'bareMany',
      Drained
    >(rounds, {
      few: () => drainWithAgent(work, few),
      many: () => drainWithAgent(work, many),
      one: () => drainWithAgent(work, one),
      bare: () => drainBare({ ...one, inFlight: 1 }),
      floor: () => drainWithDuties(work, { ...one, inFlight: 1 }, 'settle'),
      // Of eight customers eight sales can be on their way.
      bareEight: () => drainBare({ ...many, inFlight: 8 }),
      bareMany: () => drainBare(many),
      floorEight: () => drainWithDuties(work, { ...many, inFlight: 8 }, 'settle'),
      floorMany: () => drainWithDuties(work, many, 'settle'),
    });
    const rates = {
      few: ratesOf(runs.few),
      many: ratesOf(runs.many),
      one: ratesOf(runs.one),
      bare: ratesOf(runs.bare),
    };
    const floor = ratios(ratesOf(runs.floor), rates.bare);
    const eightFloor = ratios(ratesOf(runs.floorEight), ratesOf(runs.floorMany));
    const eightBare = times(ratios(ratesOf(runs.bareEight), ratesOf(runs.bareMany)));
    return [
      measuredLine(
        limits.eightCustomers,
        ratios(rates.few, rates.many),
        `8 customers ${perSecond(rates.few)}, 5,000 customers ${perSecond(rates.many)}; bare undici with 8 in flight ${eightBare} of as many as the agent has, with the agent's duties ${times(eightFloor)}`,
        eightFloor,
      ),
      measuredLine(
        limits.oneCustomer,
        ratios(rates.one, rates.bare),
        `${perSecond(rates.one)}, bare ${perSecond(rates.bare)}; bare with the agent's duties ${times(floor)}, the agent ${besideFloor(runs.one, runs.floor)}`,
        floor,
      ),
    ];
  } finally {
    await service.stop();
  }
}
