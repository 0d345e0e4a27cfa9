import { beforeEach, expect, test } from 'vitest';
import { LookUpPause } from '../../app/line/look-up-pause.ts';
import { ManualClock } from '../support/manual-clock.ts';

const longest = { next: () => 0.999_999, bytes: (length: number) => new Uint8Array(length) };
const minuteMs = 60_000;

let clock: ManualClock;
let pause: LookUpPause;
beforeEach(() => {
  clock = new ManualClock();
  pause = new LookUpPause(clock, longest);
});

/** Begins a pause that the service has not timed, and lets it end. @returns how long it was */
function wholePause(): number {
  pause.begin(null);
  const { leftMs } = pause;
  clock.advance(leftMs);
  expect(pause.until).toBeNull();
  return leftMs;
}

test('pauses that follow one another grow, to a minute at most', () => {
  const lengths: number[] = [];
  for (let count = 0; count < 8; count += 1) lengths.push(wholePause());
  expect(lengths[0]).toBeLessThanOrEqual(1_000);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  expect(lengths[3]).toBeGreaterThan(2 * (lengths[1] ?? 0));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(minuteMs);
});

test('a pause long after the last one begins small again', () => {
  for (let count = 0; count < 6; count += 1) wholePause();
  clock.advance(minuteMs + 1);
  expect(wholePause()).toBeLessThanOrEqual(1_000);
});

test('what the service asks is kept', () => {
  pause.begin(60 * minuteMs);
  expect(pause.leftMs).toBe(60 * minuteMs);
});

test('it ends at a time of the wall clock as it is now, also after somebody has set that', () => {
  pause.begin(20_000);
  clock.jump(-60 * minuteMs);
  expect(Date.parse(pause.until ?? '') - clock.now()).toBe(20_000);
});
