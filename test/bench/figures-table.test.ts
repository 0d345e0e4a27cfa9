import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFigures } from './figures-table.ts';
import { goalNumbers, goalTable, limitsOf } from './goal-table.ts';
import type { KeptRun } from './kept-run.ts';
import { limitText } from './report.ts';

const document = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'performance.md'), 'utf8');
const { save } = goalTable[2].limits;

function runOf(median: number, limit = save): KeptRun {
  const measured = { median, min: 1.1, max: 1.9, rounds: [1.1, median, 1.9] };
  return {
    startedAt: '2026-11-22T10:00:00.000Z',
    commit: 'abc1234',
    machine: { name: 'till', cpu: '2 × slow' },
    rounds: 3,
    isQuick: false,
    goals: [{ goal: 2, lines: [{ limit, outcome: { kind: 'measured', measured, figures: '' } }] }],
  };
}

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
/** The rows of the table of figures alone, which has five columns. */
const figureRowsOf = (text: string) => rowsOf(text).filter((row) => row.length === 5);

it('stands in the document with every goal and limit of today, and no other', () => {
  const rows = figureRowsOf(document).slice(2);
  const names = goalNumbers.flatMap((goal) => limitsOf(goal).map(({ of }) => of));
  // A limit that stands for several measures has a row for each, named behind a semicolon.
  const nameIn = (what: string) => names.find((name) => what.startsWith(`${name}; `)) ?? what;
  const told = rows.map(([goal = '', what = '', , limit = '']) => [goal, nameIn(what), limit].join('|'));
  const expected = goalNumbers.flatMap((goal) => [
    `**${goal}**|**${goalTable[goal].title}**|`,
    ...limitsOf(goal).map((limit) => `|${limit.of}|${limitText(limit)}`),
  ]);
  expect(told.filter((row, index) => row !== told[index - 1])).toEqual(expected);
});

it('is written from the run between its two lines, and nothing else of the document is touched', () => {
  const written = withFigures(document, runOf(1.2));
  expect(figureRowsOf(written)).toContainEqual(['', save.of, '1.20x (1.10–1.90)', '≤ 1.25x', 'met']);
  expect(written).toContain('Commit abc1234, 2026-11-22, 3 rounds; cpu 2 × slow.');
  const rest = (text: string) => text.replace(/<!-- Figures:[\s\S]*End of the figures\. -->/, '');
  expect(rest(written)).toBe(rest(document));
  expect(withFigures(written, runOf(1.2))).toBe(written);
});

it('says what was missed, and what was not measured', () => {
  const rows = figureRowsOf(withFigures(document, runOf(1.3)));
  expect(rows).toContainEqual(['', save.of, '1.30x (1.10–1.90)', '≤ 1.25x', 'missed']);
  expect(rows).toContainEqual(['', goalTable[16].limits.cpu.of, 'not measured', '≤ 1 ms', '']);
});

it('tells of a missed goal how far its floor comes', () => {
  const [goal] = runOf(1.6).goals;
  const floor = { median: 1.36, min: 1.3, max: 1.4, rounds: [1.36] };
  const goals = goal === undefined ? [] : [{ ...goal, lines: goal.lines.map((line) => ({ ...line, floor })) }];
  const written = withFigures(document, { ...runOf(1.6), goals });
  expect(figureRowsOf(written)).toContainEqual([
    '',
    save.of,
    '1.60x (1.10–1.90)',
    '≤ 1.25x',
    'missed; the floor 1.36x, too',
  ]);
  expect(written).toContain('\n1 missed (1 by the floor, too), ');
});

it('judges by the limit of today, and takes no figure of something that had another name', () => {
  expect(figureRowsOf(withFigures(document, runOf(1.3, { ...save, value: 2 })))).toContainEqual([
    '',
    save.of,
    '1.30x (1.10–1.90)',
    '≤ 1.25x',
    'missed',
  ]);
  const renamed = figureRowsOf(withFigures(document, runOf(1.2, { ...save, of: 'save something' })));
  expect(renamed).toContainEqual(['', save.of, 'not measured', '≤ 1.25x', '']);
});

it('needs its two lines', () => {
  expect(() => withFigures('# Speed', runOf(1))).toThrow('The document has no place for the figures');
});
