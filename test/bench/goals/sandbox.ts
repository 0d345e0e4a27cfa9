import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, perSecond, times } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import {
  type ComparedCall,
  callOnce,
  comparedCalls,
  type ListeningService,
  loadService,
  startBareHttp,
  startPrism,
  startSandbox,
  startServiceFloor,
} from '../http-services.ts';
import { type GoalLine, inTurns, measuredLine, ratios, skippedLine, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[13];
const idleMs = 3_000;

/** Goal 13: the sandbox is there at once, answers quickly and stays small. */
export async function measureSandbox(context: GoalContext): Promise<readonly GoalLine[]> {
  return [
    await firstAnswerLine(context),
    ...(await rateLines(context, comparedCalls.earn)),
    ...(await rateLines(context, comparedCalls.identify)),
    await residentLine(context),
  ];
}

/** From the spawn to the answer of the first call. */
async function firstAnswerLine({ rounds }: GoalContext): Promise<GoalLine> {
  const firstAnswerMs = (start: () => Promise<ListeningService>) => async () => {
    const startMs = performance.now();
    const service = await start();
    await callOnce(service, comparedCalls.identify);
    const tookMs = performance.now() - startMs;
    await service.stop();
    return tookMs;
  };
  const contenders = { sandbox: firstAnswerMs(() => startSandbox()), prism: firstAnswerMs(startPrism) };
  // The first start fills the compile cache.
  for (let start = 0; start < 2; start += 1) await contenders.sandbox();
  const took = await inTurns(rounds, contenders);
  return measuredLine(
    limits.firstAnswer,
    ratios(took.sandbox, took.prism),
    `${milliseconds(took.sandbox)}, prism ${milliseconds(took.prism)}`,
  );
}

async function rateLines({ rounds, isQuick, work }: GoalContext, call: ComparedCall): Promise<readonly GoalLine[]> {
  const calls = isQuick ? 10_000 : 30_000;
  const services: ListeningService[] = [];
  const started = async <Service extends ListeningService>(start: Promise<Service>): Promise<Service> => {
    const service = await start;
    services.push(service);
    return service;
  };
  try {
    const sandbox = await started(startSandbox());
    const durable = await started(startSandbox({ dataFile: `${work.folder(`sandbox-${call.name}`)}/sandbox.sqlite` }));
    const peer = await started(startPrism());
    const answer = await callOnce(sandbox, call);
    const bare = await started(startBareHttp(call, answer));
    const floor = await started(startServiceFloor(call, answer));
    const contenders = {
      sandbox: () => loadService(sandbox, { call, calls }),
      bare: () => loadService(bare, { call, calls }),
      floor: () => loadService(floor, { call, calls }),
      durable: () => loadService(durable, { call, calls: Math.ceil(calls / 3) }),
      prism: () => loadService(peer, { call, calls: Math.ceil(calls / 10) }),
    };
    // Compiled code first: the sandbox has far more of it than the yardstick.
    await inTurns(2, contenders);
    const rates = await inTurns(rounds, contenders);
    const figures = `${perSecond(rates.sandbox)} (in a file ${perSecond(rates.durable)}), bare ${perSecond(rates.bare)}`;
    const prism = `prism ${perSecond(rates.prism)}`;
    const told = `${figures}, ${prism}${besideFloor(call, rates)}`;
    const againstBare = measuredLine(
      limits[call.name],
      ratios(rates.sandbox, rates.bare),
      told,
      ratios(rates.floor, rates.bare),
    );
    return call.name === 'earn'
      ? [againstBare, measuredLine(limits.earnPrism, ratios(rates.sandbox, rates.prism), prism)]
      : [againstBare];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

const floorWords = {
  identify: 'bare that checks the request and reads the customer',
  earn: 'bare that checks the request, keeps the earn and applies it',
} as const satisfies Readonly<Record<ComparedCall['name'], string>>;

function besideFloor(
  { name }: ComparedCall,
  { sandbox, bare, floor }: Readonly<Record<'sandbox' | 'bare' | 'floor', readonly number[]>>,
): string {
  const words = floorWords[name];
  return `; ${words} ${times(ratios(floor, bare))}, the sandbox ${times(ratios(sandbox, floor))} of it`;
}

async function residentLine({ rounds }: GoalContext): Promise<GoalLine> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sandbox = await startSandbox();
    await sleep(idleMs);
    const residentMb = sandbox.residentMb();
    await sandbox.stop();
    if (residentMb === null) return skippedLine(limits.resident, 'the system does not tell');
    values.push(residentMb);
  }
  return measuredLine(limits.resident, spreadOf(values), `after ${idleMs / 1_000} s`);
}
