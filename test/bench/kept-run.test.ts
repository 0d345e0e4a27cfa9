import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goalTable } from './goal-table.ts';
import { readKeptRun } from './kept-run.ts';
import { measuredLine, spreadOf } from './measure.ts';
import { type BenchReport, jsonOf } from './report.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-run-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const line = {
  ...measuredLine(goalTable[5].limits.bare, spreadOf([0.8, 0.9]), ''),
  curves: [{ name: 'a', points: [[0, 1]] }],
} as const;
const report: BenchReport = {
  startedAt: '2026-11-22T10:00:00.000Z',
  commit: 'abc1234',
  machine: { cpu: '2' },
  rounds: 5,
  isQuick: false,
  goals: [{ goal: 5, lines: [line], tookSeconds: 9 }],
};

function readText(text: string) {
  const path = join(folder, 'run.json');
  writeFileSync(path, text);
  return readKeptRun(path);
}

it('is read as it was kept', () => {
  expect(readText(jsonOf(report))).toMatchObject({
    kind: 'read',
    run: { commit: 'abc1234', goals: [{ goal: 5, lines: [{ limit: line.limit, curves: line.curves }] }] },
  });
});

it.each([
  ['not JSON', '{', 'JSON'],
  ['something else', '{"goals": 3}', 'it is no run of the bench: startedAt'],
  ['a quick look', jsonOf({ ...report, isQuick: true }), 'it was a quick look'],
])('is refused when it is %s', (_, text, words) => {
  expect(readText(text)).toEqual({ kind: 'wrong', problem: expect.stringContaining(words) });
});

it('is refused when it is not there', () => {
  expect(readKeptRun(join(folder, 'none.json'))).toEqual({
    kind: 'wrong',
    problem: expect.stringContaining('none.json'),
  });
});
