import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentMode, bareNodeMs, startBuiltAgent } from '../agent-program.ts';
import { atMost, type GoalLine, inTurns, ratios, spreadOf } from '../measure.ts';
import { fillBacklog } from '../sample-earns.ts';
import type { GoalContext } from './context.ts';

const idleMs = 3_000;

/** Goal 9: a till is ready at once, however much waits, and stays small. */
export async function measureStart(context: GoalContext): Promise<readonly GoalLine[]> {
  const { work, rounds, isQuick, say } = context;
  const rows = isQuick ? 100_000 : 1_000_000;
  const empty = work.folder('empty');
  const full = work.folder('full');
  const sandbox = work.folder('sandbox');
  say(`  filling a queue with ${rows.toLocaleString('en')} sales …`);
  fillBacklog(full, { mode: 'production', rows, savedAtMs: Date.now() });
  const readyMs = async (dataDir: string, mode: AgentMode = 'production') => {
    const agent = await startBuiltAgent(dataDir, mode);
    await agent.stop();
    return agent.readyMs;
  };
  // The first starts make the databases and fill the compile cache.
  for (const [dataDir, mode] of [
    [empty, 'production'],
    [full, 'production'],
    [sandbox, 'sandbox'],
  ] as const) {
    for (let start = 0; start < 2; start += 1) await readyMs(dataDir, mode);
  }
  const times = await inTurns(rounds, {
    full: () => readyMs(full),
    empty: () => readyMs(empty),
    bareNode: () => bareNodeMs(),
    sandbox: () => readyMs(sandbox, 'sandbox'),
  });
  const milliseconds = (values: readonly number[]) => `${spreadOf(values).median.toFixed(0)} ms`;
  return [
    {
      kind: 'measured',
      goal: 9,
      what: `start with ${rows.toLocaleString('en')} waiting sales, against none`,
      measured: ratios(times.full, times.empty),
      target: atMost(1.1),
      figures: `${milliseconds(times.full)}, none ${milliseconds(times.empty)}`,
    },
    {
      kind: 'measured',
      goal: 9,
      what: 'agent ready (production), against a Node that does nothing',
      measured: ratios(times.empty, times.bareNode),
      target: atMost(3),
      figures: `${milliseconds(times.empty)}, node ${milliseconds(times.bareNode)}`,
    },
    {
      kind: 'measured',
      goal: 9,
      what: 'agent ready (with the embedded sandbox), against the same',
      measured: ratios(times.sandbox, times.bareNode),
      target: atMost(3),
      figures: milliseconds(times.sandbox),
    },
    await residentLine('production', empty, rounds),
    await residentLine('sandbox', sandbox, rounds),
  ];
}

async function residentLine(mode: AgentMode, dataDir: string, rounds: number): Promise<GoalLine> {
  const what = `resident memory of the idle agent (${mode})`;
  const target = atMost(80, ' MB');
  const values: number[] = [];
  for (let round = 0; round < Math.min(3, rounds); round += 1) {
    const agent = await startBuiltAgent(dataDir, mode);
    await sleep(idleMs);
    const residentMb = agent.residentMb();
    await agent.stop();
    if (residentMb === null) return { kind: 'skipped', goal: 9, what, target, reason: 'the system does not tell' };
    values.push(residentMb);
  }
  return { kind: 'measured', goal: 9, what, measured: spreadOf(values), target, figures: `after ${idleMs / 1_000} s` };
}
