import { setTimeout as sleep } from 'node:timers/promises';
import { startBuiltAgent } from '../agent-program.ts';
import { startBenchService, startServer } from '../contender.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, measuredLine, skippedLine, spreadOf } from '../measure.ts';
import { type ProcessUse, readProcessUse } from '../process-use.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[16];

/** Goal 16: a till that nobody uses, with a good line. */
export async function measureIdle({ work, rounds, isQuick }: GoalContext): Promise<readonly GoalLine[]> {
  const [settleMs, restMs] = isQuick ? [5_000, 15_000] : [15_000, 60_000];
  const service = await startBenchService();
  const bare = await startServer({ name: 'bare-http', input: { status: 200, answer: '{}', apiKey: '' } });
  const agents: Awaited<ReturnType<typeof startBuiltAgent>>[] = [];
  try {
    // All at once, since they rest: the kernel counts each of them for itself.
    for (let round = 0; round < rounds; round += 1) {
      agents.push(await startBuiltAgent(work.folder('idle'), { mode: 'production', baseUrl: service.baseUrl }));
    }
    await sleep(settleMs);
    const before = [bare, ...agents].map(({ pid }) => readProcessUse(pid));
    await sleep(restMs);
    const after = [bare, ...agents].map(({ pid }) => readProcessUse(pid));
    const used = after.map((end, index) => usedBetween(before[index] ?? null, end));
    const known = used.filter((use) => use !== null);
    if (known.length < used.length) {
      return Object.values(limits).map((limit) => skippedLine(limit, 'the system does not tell'));
    }
    const seconds = restMs / 1_000;
    const [bareUse, ...uses] = known;
    const bareFigure = (value: number | undefined) => `a bare HTTP server ${((value ?? 0) / seconds).toFixed(2)}`;
    return [
      measuredLine(limits.cpu, spreadOf(uses.map(({ cpuMs }) => cpuMs / seconds)), bareFigure(bareUse?.cpuMs)),
      measuredLine(
        limits.wakeUps,
        spreadOf(uses.map(({ wakeUps }) => wakeUps / seconds)),
        bareFigure(bareUse?.wakeUps),
      ),
      measuredLine(limits.written, spreadOf(uses.map(({ writtenBytes }) => writtenBytes)), `in ${seconds} s`),
    ];
  } finally {
    await Promise.all([...agents, bare, service].map((program) => program.stop()));
  }
}

function usedBetween(before: ProcessUse | null, after: ProcessUse | null): ProcessUse | null {
  if (before === null || after === null) return null;
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    wakeUps: after.wakeUps - before.wakeUps,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}
