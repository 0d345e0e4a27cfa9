import { expect, it } from 'vitest';
import { ToldTime } from '../../app/line/told-time.ts';
import { ManualClock } from '../support/manual-clock.ts';

const dayMs = 86_400_000;

it('the time that was told, and what has passed since, is never more than has surely passed', () => {
  const clock = new ManualClock();
  let toldMs: number | null = null;
  const time = new ToldTime(clock, () => toldMs);
  expect(time.nowMs()).toBe(Number.NEGATIVE_INFINITY);
  clock.advance(100 * dayMs);
  toldMs = 1_000;
  expect(time.nowMs()).toBe(1_000);
  clock.jump(400 * dayMs);
  clock.advance(dayMs);
  expect(time.nowMs()).toBe(1_000 + dayMs);
  toldMs = 500;
  clock.advance(dayMs);
  expect(time.nowMs()).toBe(1_000 + 2 * dayMs);
});

it('is a whole number of milliseconds, which a column of the database takes, at any moment of a machine', () => {
  const clock = new ManualClock();
  const time = new ToldTime(clock, () => 1_000);
  time.nowMs();
  clock.advance(1_234.7);
  expect(time.nowMs()).toBe(1_000 + 1_234);
});
