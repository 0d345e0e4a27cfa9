import { describe, expect, it } from 'vitest';
import { firstSendByService, type SavedSend, type SkewNow } from '../../app/operations/ownership/first-send.ts';

const minuteMs = 60_000;
const noonMs = Date.UTC(2026, 10, 20, 12);

const sent = (part: Partial<SavedSend> = {}): SavedSend => ({
  byTillMs: noonMs,
  savedMonotonicMs: 1_000,
  skewMs: 0,
  isOfThisRun: true,
  ...part,
});
/** Ten minutes later. */
const now = (part: Partial<SkewNow> = {}): SkewNow => ({
  nowMs: noonMs + 10 * minuteMs,
  monotonicMs: 1_000 + 10 * minuteMs,
  skewMs: 0,
  hasJumped: false,
  ...part,
});

describe('when a row was sent first, by the service’s clock', () => {
  it('is what the till noted, by a clock that is right', () => {
    expect(firstSendByService(sent(), now())).toBe(noonMs);
  });

  it('is corrected by a clock that is known to be wrong', () => {
    expect(firstSendByService(sent({ byTillMs: noonMs + 60 * minuteMs, skewMs: -60 * minuteMs }), now())).toBe(noonMs);
  });

  it.each([
    ['ahead', 60 * minuteMs],
    ['back', -60 * minuteMs],
  ])('is known after the clock was set %s, though its skew was not known before', (_, byMs) => {
    const saved = sent({ byTillMs: noonMs - byMs, skewMs: null });
    expect(firstSendByService(saved, now({ hasJumped: true }))).toBe(noonMs);
  });

  it('is the earlier of both readings after a restart', () => {
    const earlier = { isOfThisRun: false };
    expect(firstSendByService(sent({ ...earlier, skewMs: -60 * minuteMs }), now())).toBe(noonMs - 60 * minuteMs);
    expect(firstSendByService(sent(earlier), now({ skewMs: -60 * minuteMs, hasJumped: true }))).toBe(
      noonMs - 60 * minuteMs,
    );
  });

  it('is what the till noted while nothing is known of the service’s clock', () => {
    expect(firstSendByService(sent({ skewMs: null }), now({ skewMs: null, hasJumped: true }))).toBe(noonMs);
  });
});
