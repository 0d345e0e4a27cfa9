import { startBenchService } from '../contender.ts';
import type { DrainDuty } from '../drain-duties.ts';
import {
  besideFloor,
  type Drain,
  type Drained,
  drainBare,
  drainCurve,
  drainWithAgent,
  drainWithDuties,
  drainWithPlainjob,
  ratesOf,
} from '../drains.ts';
import { perSecond, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, inTurns, measuredLine, ratios } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[5];

/** Goal 5: a backlog leaves almost as fast as the bare HTTP client could send it. */
export async function measureDrain({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const rows = isQuick ? 10_000 : 30_000;
  const service = await startBenchService();
  const backlogOf = (rows: number): Drain => ({
    file: fillBacklog(work.folder('backlog'), { mode: 'production', rows, savedAtMs: Date.now() }),
    rows,
    baseUrl: service.baseUrl,
  });
  try {
    const drain = backlogOf(rows);
    // It commits each job by itself: as many as the others would take minutes on a slow disk.
    const short = backlogOf(rows / 5);
    const runs = await inTurns<'agent' | 'bare' | DrainDuty | 'plainjob' | 'durablePlainjob', Drained>(rounds, {
      agent: () => drainWithAgent(work, drain),
      bare: () => drainBare(drain),
      check: () => drainWithDuties(work, drain, 'check'),
      mark: () => drainWithDuties(work, drain, 'mark'),
      settle: () => drainWithDuties(work, drain, 'settle'),
      plainjob: () => drainWithPlainjob(work, drain, { isDurable: false }),
      durablePlainjob: () => drainWithPlainjob(work, short, { isDurable: true }),
    });
    const [agent, bare, settle] = [ratesOf(runs.agent), ratesOf(runs.bare), ratesOf(runs.settle)];
    const [plainjob, durablePlainjob] = [ratesOf(runs.plainjob), ratesOf(runs.durablePlainjob)];
    const sent = `${rows.toLocaleString('en')} sales, ${perSecond(agent)}`;
    const against = (duty: DrainDuty) => times(ratios(ratesOf(runs[duty]), bare));
    const duties = `bare with answers checked ${against('check')}, and sales marked before ${against('mark')}`;
    const floor = `and outcomes kept ${against('settle')}; the agent ${besideFloor(runs.agent, runs.settle)}`;
    const curves = [
      drainCurve('Tillbridge', runs.agent),
      drainCurve('bare undici, keeps nothing', runs.bare),
      drainCurve('plainjob as shipped, not durable', runs.plainjob),
    ];
    return [
      {
        ...measuredLine(
          limits.bare,
          ratios(agent, bare),
          `${sent}, bare ${perSecond(bare)}; ${duties}, ${floor}`,
          ratios(settle, bare),
        ),
        curves,
      },
      measuredLine(
        limits.plainjob,
        ratios(agent, plainjob),
        `plainjob ${perSecond(plainjob)}`,
        ratios(settle, plainjob),
      ),
      measuredLine(
        limits.durablePlainjob,
        ratios(agent, durablePlainjob),
        `plainjob ${perSecond(durablePlainjob)}`,
        ratios(settle, durablePlainjob),
      ),
    ];
  } finally {
    await service.stop();
  }
}
