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
