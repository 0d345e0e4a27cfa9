import { beforeEach, expect, it } from 'vitest';
import { createMonotonic } from '../../app/machine/monotonic.ts';

let awakeMs: number;
let wallMs: number;
let uptimeMs: number;
let uptimeReads: number;
let monotonicMs: () => number;
beforeEach(() => {
  awakeMs = 5_000;
  wallMs = Date.parse('2026-11-20T18:13:00.000Z');
  uptimeMs = 90_000_000;
  uptimeReads = 0;
  monotonicMs = createMonotonic({
    awakeMs: () => awakeMs,
    wallMs: () => wallMs,
    uptimeMs() {
      uptimeReads += 1;
      return Math.floor(uptimeMs / 10) * 10;
    },
  });
});

const work = (durationMs: number) => {
  awakeMs += durationMs;
  wallMs += durationMs;
  uptimeMs += durationMs;
};
const sleep = (durationMs: number) => {
  wallMs += durationMs;
  uptimeMs += durationMs;
};

it('runs on from zero while the machine works, without reading what takes long', () => {
  expect(monotonicMs()).toBe(0);
  work(1_234_567);
  expect(monotonicMs()).toBe(1_234_567);
  expect(uptimeReads).toBe(1);
});

it('counts each sleep of the machine', () => {
  work(10_000);
  sleep(6 * 3_600_000);
  expect(monotonicMs()).toBe(6 * 3_600_000 + 10_000);
  work(20_000);
  sleep(60_000);
  work(5_000);
  expect(monotonicMs()).toBe(6 * 3_600_000 + 95_000);
});

it.each([3_600_000, -3_600_000])('does not move when the wall clock is set by %i ms, whenever that is', (byMs) => {
  wallMs += byMs;
  work(1_000);
  expect(monotonicMs()).toBe(1_000);
  sleep(50_000);
  wallMs += byMs;
  expect(monotonicMs()).toBe(51_000);
  wallMs -= byMs;
  expect(monotonicMs()).toBe(51_000);
});

it('never goes back, though a wall clock is pulled back and forth for a year', () => {
  let beforeMs = 0;
  for (let day = 0; day < 365; day += 1) {
    work(3_600_000 + day * 7);
    if (day % 3 === 0) sleep(8 * 3_600_000);
    wallMs += day % 2 === 0 ? 9_000 : -9_000;
    expect(monotonicMs()).toBeGreaterThan(beforeMs);
    beforeMs = monotonicMs();
  }
  expect(Math.abs(beforeMs - (uptimeMs - 90_000_000))).toBeLessThan(100);
});
