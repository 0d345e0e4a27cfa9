import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { endsWithUs } from './child-programs.ts';
import { goalTable, limitsOf } from './goal-table.ts';
import { measuredLine, spreadOf, verdictOf } from './measure.ts';
import { tableOf } from './report.ts';
import { runGoal } from './run-goal.ts';

const { save } = goalTable[2].limits;
const longMs = 60_000;

it('tells what was measured, and that it did not break', async () => {
  const line = measuredLine(save, spreadOf([1.1]), '');
  const report = await runGoal({ goal: 2, measure: async () => [line], limitMs: longMs });
  expect(report).toMatchObject({ goal: 2, lines: [line] });
});

it.each([
  ['throws', () => Promise.reject(new Error('no disk')), 'no disk'],
  ['does not end', () => new Promise<never>(() => {}), 'not done after 0.05 s'],
])('makes lines that say so, one for each limit, of a goal that %s', async (_, measure, reason) => {
  const report = await runGoal({ goal: 3, measure, limitMs: reason === 'no disk' ? longMs : 50 });
  expect(report.lines.map(({ limit }) => limit)).toEqual(limitsOf(3));
  for (const line of report.lines) {
    expect(verdictOf(line)).toBe('FAILED');
    expect(line.outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining(reason) });
  }
  expect(tableOf([report])).toContain('FAILED');
});

it('ends the programs of a goal that broke', async () => {
  const child = endsWithUs(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }));
  const exited = once(child, 'exit');
  await runGoal({ goal: 2, measure: () => Promise.reject(new Error('broke')), limitMs: longMs });
  expect(await Promise.race([exited, sleep(5_000)])).toEqual([null, 'SIGKILL']);
});
