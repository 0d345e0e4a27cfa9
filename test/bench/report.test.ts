import { describe, expect, it } from 'vitest';
import { goalNumbers, goalTable } from './goal-table.ts';
import { measureByGoal } from './goals/measure-by-goal.ts';
import { differences, inTurns, measuredLine, percentile, ratios, skippedLine, spreadOf, verdictOf } from './measure.ts';
import { isAnyMissed, jsonOf, sumText, tableOf } from './report.ts';

const { save } = goalTable[2].limits;
const { commitEach } = goalTable[3].limits;
const machine = { name: 'till' };

describe('the verdict on a line', () => {
  it('is by the median, and the limit itself is met', () => {
    expect(verdictOf(measuredLine(save, spreadOf([1, save.value, 9]), ''))).toBe('met');
    expect(verdictOf(measuredLine(save, spreadOf([1, save.value + 0.01, 1.3]), ''))).toBe('MISSED');
    expect(verdictOf(measuredLine(commitEach, spreadOf([1, commitEach.value, 9]), ''))).toBe('met');
    expect(verdictOf(measuredLine(commitEach, spreadOf([4.99]), ''))).toBe('MISSED');
  });

  it('cannot be met by what is no number', () => {
    expect(() => measuredLine(save, spreadOf([1, Number.NaN, 1]), '')).toThrow('no number');
    expect(() => spreadOf([])).toThrow('Nothing was measured');
  });
});

describe('a comparison', () => {
  it('is by pairs of the same round', () => {
    expect(ratios([2, 9], [1, 3])).toMatchObject({ min: 2, max: 3, rounds: [2, 3] });
    expect(differences([2, 9], [1, 3])).toMatchObject({ min: 1, max: 6 });
    expect(() => ratios([1, 2], [1])).toThrow('no partner');
  });

  it('runs each contender once a round, every second round backwards', async () => {
    const order: string[] = [];
    const contender = (name: string) => () => order.push(name);
    await inTurns(3, { a: contender('a'), b: contender('b') });
    expect(order.join('')).toBe('abbaab');
  });

  it('takes the value of the nearest rank', () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1);
    expect(percentile(thousand, 50)).toBe(500);
    expect(percentile(thousand, 99.9)).toBe(999);
  });
});

describe('the report', () => {
  const met = { goal: 2, lines: [measuredLine(save, spreadOf([1.1, 1.2, 1.3]), '200 µs')], tookSeconds: 3 } as const;
  const missed = { goal: 3, lines: [measuredLine(commitEach, spreadOf([4]), '')], tookSeconds: 3 } as const;
  const skipped = { goal: 1, lines: [skippedLine(goalTable[1].limits.syncs, 'no compiler')], tookSeconds: 0 } as const;
  const failed = {
    goal: 5,
    lines: [{ limit: goalTable[5].limits.bare, outcome: { kind: 'failed', reason: 'broke' } }],
    tookSeconds: 1,
  } as const;

  it('ends with what was measured, the limit, and whether it was met', () => {
    const rows = tableOf([met, missed, skipped]).split('\n');
    expect(rows.find((row) => row.includes(save.of))).toMatch(/1\.20x \(1\.10–1\.30\) +≤ 1\.25x +met$/);
    expect(rows.find((row) => row.includes(commitEach.of))).toMatch(/4\.00x +≥ 5x +MISSED$/);
    expect(sumText([met, missed, skipped].flatMap(({ lines }) => lines))).toBe('1 met, 1 missed, 1 skipped');
  });

  it('tells of a missed goal whether its floor misses it, too', () => {
    const missedBy = (floor: number) => measuredLine(commitEach, spreadOf([4, 3.8, 4.2]), '', spreadOf([floor]));
    const lines = [missedBy(4.5), missedBy(5.5), missedBy(3.9), missedBy(3.5), ...missed.lines, ...met.lines];
    const rows = tableOf([{ goal: 3, lines, tookSeconds: 0 }]).split('\n');
    expect(rows.slice(2).map((row) => row.split(/ {2,}/).at(-1))).toEqual([
      'MISSED; the floor 4.50x, too',
      'MISSED; the floor 5.50x',
      'MISSED; the floor 3.90x, too',
      'MISSED; its floor was worse, 3.50x',
      'MISSED',
      'met',
    ]);
    expect(sumText(lines)).toBe('5 missed (2 by the floor, too), 1 met');
    // A floor that misses excuses nothing that a machine could meet after all.
    expect(isAnyMissed([{ goal: 3, lines: [missedBy(4.5)], tookSeconds: 0 }])).toBe(true);
  });

  it('is not passed when a limit was missed or its measuring broke', () => {
    expect(isAnyMissed([met, skipped])).toBe(false);
    expect(isAnyMissed([met, missed])).toBe(true);
    expect(isAnyMissed([met, failed])).toBe(true);
  });

  it('is kept with its commit, its machine and every round', () => {
    const kept: unknown = JSON.parse(
      jsonOf({
        startedAt: '2026-11-22T07:00:00.000Z',
        commit: 'abc1234',
        machine,
        rounds: 7,
        isQuick: false,
        goals: [met],
      }),
    );
    expect(kept).toMatchObject({
      commit: 'abc1234',
      machine,
      goals: [
        {
          goal: 2,
          title: goalTable[2].title,
          lines: [{ verdict: 'met', limit: save, outcome: { measured: { median: 1.2, rounds: [1.1, 1.2, 1.3] } } }],
        },
      ],
    });
  });
});

describe('the table of goals', () => {
  it('has the goals 1 to 19, each with a way to measure it', () => {
    expect(goalNumbers).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
    expect(Object.keys(measureByGoal).map(Number)).toEqual(goalNumbers);
  });
});
