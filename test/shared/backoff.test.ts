import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullJitterMs } from '../../shared/lib/backoff.ts';
import { toInstant } from '../../shared/lib/clock.ts';

describe('backing off', () => {
  const backoff = { baseMs: 1_000, capMs: 30_000 };

  it.each([
    [1, 999],
    [2, 1_999],
    [3, 3_999],
    [5, 15_999],
    [6, 29_999],
    [60, 29_999],
    [0, 999],
  ])('after %i failures waits at most %i ms', (attempt, longestMs) => {
    expect(fullJitterMs(backoff, attempt, 0.9999999)).toBe(longestMs);
    expect(fullJitterMs(backoff, attempt, 0)).toBe(0);
  });

  it('is spread over the whole wait, in whole milliseconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const ms = fullJitterMs(backoff, attempt, random);
          expect(Number.isInteger(ms)).toBe(true);
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThan(backoff.capMs);
        },
      ),
    );
  });
});

describe('an instant', () => {
  it('is UTC with milliseconds', () => {
    expect(toInstant(Date.parse('2026-11-20T21:13:00+03:00'))).toBe('2026-11-20T18:13:00.000Z');
  });
});
