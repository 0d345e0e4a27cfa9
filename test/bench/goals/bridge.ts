import { join } from 'node:path';
import { startBuiltAgent } from '../agent-program.ts';
import { milliseconds, perSecond, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { callOnce, comparedCalls, type ListeningService, loadService, startBareHttp } from '../http-services.ts';
import { type GoalLine, inTurns, measuredLine, ratios } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[4];
const call = comparedCalls.earn;

/** Goal 4: what the bridge adds to HTTP and to the disk. The agent is offline: it takes sales and sends none. */
export async function measureBridge(context: GoalContext): Promise<readonly GoalLine[]> {
  const { work, rounds, isQuick } = context;
  const agent = await startBuiltAgent(work.folder('bridge'), { mode: 'production' });
  const bridge: ListeningService = {
    port: Number(new URL(agent.baseUrl).port),
    prefix: '/v1',
    apiKey: agent.token,
    stop: () => agent.stop(),
  };
  const services = [bridge];
  try {
    const answered = await callOnce(bridge, call);
    const echo = await startBareHttp(call, answered);
    services.push(echo);
    const oneTillCalls = isQuick ? 500 : 2_000;
    const rows = oneTillCalls * (rounds + 1);
    const durableFile = join(work.folder('durable-echo'), 'echo.sqlite');
    const durableEcho = await startBareHttp(call, answered, { how: 'alone', file: durableFile, rows });
    services.push(durableEcho);
    const load = (service: ListeningService, connections: number, calls: number) => () =>
      loadService(service, { call, calls, connections });
    const calls = isQuick ? 4_000 : 20_000;
    // The floor, in two steps: a durable row for each call, and all that nobody can leave out.
    const groupedFile = join(work.folder('grouped-echo'), 'echo.sqlite');
    const groups = { how: 'together', file: groupedFile, rows: calls * (2 * rounds + 1) } as const;
    const groupedEcho = await startBareHttp(call, answered, groups);
    services.push(groupedEcho);
    const dutifulFile = join(work.folder('dutiful'), 'dutiful.sqlite');
    const dutiful = await startBareHttp(call, answered, { how: 'dutifully', file: dutifulFile });
    services.push(dutiful);
    const oneTill = {
      bridge: load(bridge, 1, oneTillCalls),
      durableEcho: load(durableEcho, 1, oneTillCalls),
      dutiful: load(dutiful, 1, oneTillCalls),
    };
    const tills = (count: number) => ({
      bridge: load(bridge, count, calls),
      echo: load(echo, count, calls),
      durable: load(groupedEcho, count, calls),
      dutiful: load(dutiful, count, calls),
    });
    // Compiled code first: the bridge has far more of it than the yardstick.
    await inTurns(1, oneTill);
    await inTurns(1, tills(16));
    return [
      meanLine(await inTurns(rounds, oneTill)),
      rateLine(limits.sixteenTills, await inTurns(rounds, tills(16))),
      rateLine(limits.manyTills, await inTurns(rounds, tills(256))),
    ];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** One till waits for each answer, so that the mean is the inverse of the rate. */
function meanLine(rates: Readonly<Record<'bridge' | 'durableEcho' | 'dutiful', readonly number[]>>): GoalLine {
  const meanMs = (values: readonly number[]) => values.map((callsPerSecond) => 1_000 / callsPerSecond);
  const [bridge, durableEcho, dutiful] = [meanMs(rates.bridge), meanMs(rates.durableEcho), meanMs(rates.dutiful)];
  const floor = ratios(dutiful, durableEcho);
  const figures = [
    `${milliseconds(bridge)}, echo with its insert ${milliseconds(durableEcho)}`,
    `with all that nobody can leave out ${milliseconds(dutiful)}, ${times(floor)}`,
  ];
  return measuredLine(limits.oneTill, ratios(bridge, durableEcho), figures.join('; '), floor);
}

function rateLine(
  limit: (typeof limits)['sixteenTills' | 'manyTills'],
  { bridge, echo, durable, dutiful }: Readonly<Record<'bridge' | 'echo' | 'durable' | 'dutiful', readonly number[]>>,
): GoalLine {
  const floors = [
    `echo with durable rows ${times(ratios(durable, echo))}`,
    `with all that nobody can leave out ${times(ratios(dutiful, echo))}, the bridge ${times(ratios(bridge, dutiful))} of it`,
  ].join('; ');
  return measuredLine(
    limit,
    ratios(bridge, echo),
    `${perSecond(bridge)}, echo ${perSecond(echo)}; ${floors}`,
    ratios(dutiful, echo),
  );
}
