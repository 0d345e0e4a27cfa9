import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClockSkew } from '../../app/line/clock-skew.ts';
import { ManualClock } from '../support/manual-clock.ts';

const act = fc.oneof(
  fc.record({ kind: fc.constant('answer'), ms: fc.integer({ min: -400_000, max: 400_000 }) }),
  fc.record({ kind: fc.constant('set the clock'), ms: fc.integer({ min: -6_000, max: 6_000 }) }),
  fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 0, max: 60_000 }) }),
  fc.record({ kind: fc.constant('ask'), ms: fc.constant(0) }),
);

it('the skew is the median of the last five answers since the clock was set, in any order of what happens', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const clock = new ManualClock();
      const skew = new ClockSkew(clock);
      let samples: number[] = [];
      let setByMs = 0;
      for (const { kind, ms } of acts) {
        if (kind === 'wait') clock.advance(ms);
        if (kind === 'set the clock') {
          clock.jump(ms);
          setByMs += ms;
          continue;
        }
        if (Math.abs(setByMs) > 2_000) samples = [];
        setByMs = 0;
        if (kind === 'answer') {
          skew.observe(clock.now() + ms);
          samples = [...samples, ms + 500].slice(-5);
        }
        const sorted = samples.toSorted((one, other) => one - other);
        expect(skew.skewMs).toBe(sorted[Math.floor(sorted.length / 2)] ?? null);
      }
    }),
    { seed: 20261126 },
  );
});

it('believes a date that stands still where each answer has an id of its own, and none that came before', () => {
  const clock = new ManualClock();
  const skew = new ClockSkew(clock);
  const standsAtMs = clock.now() - 600_000;
  for (let answer = 0; answer < 8; answer += 1) {
    skew.observe(standsAtMs, `req_${answer}`);
    clock.advance(10_000);
  }
  expect(skew.skewMs).toBe(standsAtMs + 500 - (clock.now() - 30_000));
  const beforeMs = skew.skewMs;
  for (let times = 0; times < 5; times += 1) {
    skew.observe(standsAtMs, 'req_1');
    clock.advance(10_000);
  }
  expect(skew.skewMs).toBe(beforeMs);
});

it('knows how far the readings of a clock may be apart that was set more than once', () => {
  const clock = new ManualClock();
  const skew = new ClockSkew(clock);
  const startedMs = clock.monotonicMs();
  expect(skew.setRangeMs(Number.NEGATIVE_INFINITY)).toBe(0);
  for (const [byMs, rangeMs] of [
    [3_000, 3_000],
    [-3_000, 3_000],
    [-60_000, 63_000],
    [60_000, 63_000],
    [1_000, 63_000],
  ] as const) {
    clock.jump(byMs);
    clock.advance(10_000);
    expect(skew.setRangeMs(Number.NEGATIVE_INFINITY)).toBe(rangeMs);
  }
  const sinceMs = (seconds: number) => skew.setRangeMs(startedMs + seconds * 1_000);
  expect([sinceMs(5), sinceMs(15), sinceMs(25), sinceMs(35), sinceMs(45)]).toEqual([63_000, 63_000, 60_000, 60_000, 0]);
});
