import { describe, expect, it } from 'vitest';
import { doorNames } from './doors.ts';
import { readFlags } from './flags.ts';
import { fuzz } from './fuzz.ts';
import { growth } from './memory-trend.ts';

// Seconds here; `npm run fuzz` goes on for as long as one likes, with other seeds.
describe.concurrent('hostile bytes', () => {
  it.each(doorNames)('at the door of %s end nothing, lose nothing, double nothing, and meet no fault', async (door) => {
    const told: string[] = [];
    const options = { doors: [door], seed: 20_261_122, batches: 1, durationMs: 60_000, messages: 120 };
    const problems = await fuzz(options, (line) => told.push(line));
    expect(problems).toEqual([]);
    // It has reached what is behind the door.
    expect(told.join('\n')).toMatch(/ 20[02]: \d|questions: \d\d|settings loaded: \d/);
  });
});

describe('memory that', () => {
  const mebibyte = 1024 * 1024;
  const memories = (...heaps: readonly number[]) =>
    heaps.map((one) => ({ heapBytes: one * mebibyte, rssBytes: 200 * mebibyte }));

  it('is taken once is no growth', () => {
    expect(growth(memories(20, 40, 60, 60, 61, 60, 62, 61, 60))).toBeNull();
  });

  it('goes on growing with every batch is', () => {
    expect(growth(memories(20, 26, 32, 38, 44, 50, 56, 62, 68))).toContain('grew by 18.0 MiB');
  });
});

describe('the flags', () => {
  it('repeat a batch by its seed', () => {
    const args = '--doors till,files --seed 42 --batches 1 --messages 50 --minutes 0.5'.split(' ');
    const options = { doors: ['till', 'files'], seed: 42, batches: 1, durationMs: 30_000, messages: 50 };
    expect(readFlags(args, 7)).toEqual({ kind: 'run', options });
    expect(readFlags([], 123)).toMatchObject({ options: { seed: 123, doors: doorNames, durationMs: 600_000 } });
  });

  it.each([
    ['--doors', 'cellar', '--doors does not know "cellar"'],
    ['--minutes', 'soon', '--minutes takes a number above 0'],
    ['--speed', '9', '--speed'],
  ])('that are wrong are told: %s %s', (flag, value, told) => {
    expect(readFlags([flag, value], 7)).toMatchObject({ kind: 'wrong', message: expect.stringContaining(told) });
  });
});
