import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ComparedCall,
  callOnce,
  comparedCalls,
  type ListeningService,
  loadService,
  startBareHttp,
  startPrism,
  startSandbox,
} from '../http-services.ts';
import { atLeast, atMost, type GoalLine, inTurns, ratios, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

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
  const times = await inTurns(rounds, contenders);
  const milliseconds = (values: readonly number[]) => `${spreadOf(values).median.toFixed(0)} ms`;
  return {
    kind: 'measured',
    goal: 13,
    what: 'first answer of the sandbox, against Prism',
    measured: ratios(times.sandbox, times.prism),
    target: atMost(0.15),
    figures: `${milliseconds(times.sandbox)}, prism ${milliseconds(times.prism)}`,
  };
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
    const prism = await started(startPrism());
    const bare = await started(startBareHttp(call, await callOnce(sandbox, call)));
    const contenders = {
      sandbox: () => loadService(sandbox, { call, calls }),
      bare: () => loadService(bare, { call, calls }),
      durable: () => loadService(durable, { call, calls: Math.ceil(calls / 3) }),
      prism: () => loadService(prism, { call, calls: Math.ceil(calls / 10) }),
    };
    // Compiled code first: the sandbox has far more of it than the yardstick.
    await inTurns(2, contenders);
    const rates = await inTurns(rounds, contenders);
    const rate = (values: readonly number[]) => `${Math.round(spreadOf(values).median).toLocaleString('en')}/s`;
    return [
      {
        kind: 'measured',
        goal: 13,
        what: `${call.name} over HTTP, 16 in flight, against bare node:http`,
        measured: ratios(rates.sandbox, rates.bare),
        target: atLeast(0.5),
        figures: `${rate(rates.sandbox)} (in a file ${rate(rates.durable)}), bare ${rate(rates.bare)}`,
      },
      {
        kind: 'measured',
        goal: 13,
        what: `${call.name} over HTTP, against Prism`,
        measured: ratios(rates.sandbox, rates.prism),
        target: atLeast(5),
        figures: `prism ${rate(rates.prism)}`,
      },
    ];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function residentLine({ rounds }: GoalContext): Promise<GoalLine> {
  const what = 'resident memory of the idle sandbox';
  const target = atMost(80, ' MB');
  const values: number[] = [];
  for (let round = 0; round < Math.min(3, rounds); round += 1) {
    const sandbox = await startSandbox();
    await sleep(idleMs);
    const residentMb = sandbox.residentMb();
    await sandbox.stop();
    if (residentMb === null) return { kind: 'skipped', goal: 13, what, target, reason: 'the system does not tell' };
    values.push(residentMb);
  }
  return { kind: 'measured', goal: 13, what, measured: spreadOf(values), target, figures: `after ${idleMs / 1_000} s` };
}
