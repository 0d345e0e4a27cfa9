import { describe, expect, it } from 'vitest';
import {
  firstSendByService,
  firstSendByTill,
  knownRangeMs,
  mayHaveArrived,
  notedTimes,
  possibleSendsByTill,
  type SavedSend,
  type SkewNow,
  sendsByTill,
} from '../../app/operations/ownership/first-send.ts';
import type { OperationState } from '../../shared/machines/operation.ts';

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
  setRangeMs: 0,
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

describe('when a row was sent first, by the till’s clock', () => {
  /** States in their order, each so many minutes after noon. */
  function firstSend(steps: readonly (readonly [OperationState, number])[], savedMinutes = 0): number {
    const history = steps.map(([to, minutes], at) => ({
      from: steps[at - 1]?.[0] ?? null,
      to,
      atMs: noonMs + minutes * minuteMs,
    }));
    const sentMs = firstSendByTill(history, { savedAtMs: noonMs, tillTimeMs: noonMs + savedMinutes * minuteMs });
    return (sentMs - noonMs) / minuteMs;
  }

  it('is its first mark', () => {
    expect(
      firstSend([
        ['queued', 0],
        ['sending', 3],
        ['unknown', 4],
        ['sending', 9],
      ]),
    ).toBe(3);
  });

  it('is its first mark also when the clock was set back before it', () => {
    expect(
      firstSend([
        ['queued', 0],
        ['sending', -60],
        ['unknown', -59],
        ['sending', 9],
      ]),
    ).toBe(-60);
  });

  it('is when it was saved as long as it was not sent', () => {
    expect(firstSend([['queued', 0]])).toBe(0);
  });

  it('is when it was saved where it may have been sent after the copy of it that was put back', () => {
    expect(
      firstSend([
        ['queued', 0],
        ['unknown', 300],
        ['sending', 301],
      ]),
    ).toBe(0);
    expect(
      firstSend([
        ['queued', 0],
        ['sending', 3],
        ['refused', 4],
        ['unknown', 300],
        ['sending', 301],
      ]),
    ).toBe(3);
  });

  it('is that of the request in it, where an earlier one came to nothing', () => {
    expect(
      firstSend(
        [
          ['queued', 0],
          ['sending', 1],
          ['refused', 2],
          ['queued', 90],
          ['sending', 91],
        ],
        90,
      ),
    ).toBe(91);
    expect(
      firstSend(
        [
          ['queued', 0],
          ['sending', 1],
          ['queued', 2],
          ['cancelled', 2],
          ['queued', 90],
        ],
        90,
      ),
    ).toBe(90);
    expect(
      firstSend(
        [
          ['queued', 0],
          ['sending', 1],
          ['refused', 2],
          ['queued', 90],
          ['unknown', 300],
          ['sending', 301],
        ],
        90,
      ),
    ).toBe(90);
  });

  it('is that of an earlier request where nobody knows what became of it', () => {
    const lost = [
      ['queued', 0],
      ['sending', 1],
      ['unknown', 2],
      ['queued', 3],
      ['cancelled', 3],
    ] as const;
    expect(firstSend([...lost, ['queued', 90], ['sending', 91]], 90)).toBe(1);
    const copied = [
      ['queued', 0],
      ['unknown', 30],
      ['queued', 31],
      ['cancelled', 31],
    ] as const;
    expect(firstSend([...copied, ['queued', 90], ['sending', 91]], 90)).toBe(0);
  });

  it('is that of a sale that a person sends again', () => {
    expect(
      firstSend([
        ['queued', 0],
        ['sending', 1],
        ['refused', 2],
        ['queued', 90],
        ['sending', 91],
      ]),
    ).toBe(1);
  });
});

describe('when bytes of a row may have reached the service', () => {
  const lines = (...steps: readonly (readonly [OperationState, number])[]) => steps.map(([to, atMs]) => ({ to, atMs }));

  it('is each send of which nothing proves that it came to nothing, and not the one under way', () => {
    const sends = lines(
      ['queued', 0],
      ['sending', 1],
      ['queued', 2],
      ['sending', 3],
      ['unknown', 4],
      ['sending', 5],
      ['refused', 6],
      ['queued', 7],
      ['sending', 8],
      ['accepted', 9],
      ['unknown', 10],
      ['sending', 11],
    );
    expect(possibleSendsByTill(sends)).toEqual([3, 8]);
  });

  it('is told where the clock was set back by no more than is known', () => {
    expect(possibleSendsByTill(lines(['queued', 5_000], ['sending', 2_000], ['unknown', 2_001]), 3_000)).toEqual([
      2_000,
    ]);
  });

  it.each([
    ['nothing was sent', lines(['queued', 0])],
    ['the clock was set back between two lines', lines(['queued', 5], ['sending', 1], ['unknown', 2])],
    ['a copy was put back', lines(['queued', 0], ['sending', 1], ['refused', 2], ['unknown', 3], ['sending', 4])],
  ])('is not known where %s', (_, history) => {
    expect(possibleSendsByTill(history)).toBeNull();
  });

  it('is each send, also one that was refused, where it is asked when bytes left the till', () => {
    const line = (to: OperationState, atMs: number, httpStatus: number | null = null) => ({ to, atMs, httpStatus });
    const unsent = [line('queued', 0), line('sending', 1), line('queued', 2)];
    expect(sendsByTill(unsent)).toEqual([]);
    const throttled = [line('sending', 3), line('queued', 4, 429)];
    expect(sendsByTill([...unsent, ...throttled, line('sending', 5), line('refused', 6, 422)])).toEqual([3, 5]);
    expect(sendsByTill([line('queued', 0), line('unknown', 9)])).toBeNull();
  });

  it.each([
    ['in one run', {}, {}, 0],
    ['in one run in which it was set a little', {}, { hasJumped: true, setRangeMs: 3_000 }, 3_000],
    ['in one run in which it was set by five minutes', {}, { hasJumped: true, setRangeMs: 5 * minuteMs }, null],
    ['over a restart', { isOfThisRun: false }, {}, 0],
    ['over a restart in which it was set', { isOfThisRun: false }, { skewMs: 2 * minuteMs }, null],
    ['over a restart, by a service that was not heard before', { isOfThisRun: false, skewMs: null }, {}, null],
  ])('is told by a clock that is known %s', (_, saved, later, rangeMs) => {
    expect(knownRangeMs(sent(saved), now(later))).toBe(rangeMs);
  });
});

describe('when what left the till can have been noted', () => {
  const saved = { tillTimeMs: noonMs, skewMs: 60 * minuteMs, byServiceMs: null };
  const atOnce = noonMs + 1_000;
  const later = noonMs + 30 * minuteMs;
  const hourMs = 60 * minuteMs;

  it('is told by the clocks of its saving alone, where the till’s may have been set since', () => {
    const atMs = [atOnce, atOnce + hourMs];
    const noted = { atMs, byServiceMs: [atOnce + hourMs], rangeMs: 0, areAll: true };
    expect(notedTimes([atOnce], saved, { skewMs: 0, rangeMs: null })).toEqual(noted);
    expect(notedTimes([atOnce], saved, { skewMs: 5, rangeMs: null })).toEqual(noted);
  });

  it('is told by the clock as it is now, too, where nobody has set the till’s', () => {
    const atMs = [atOnce, atOnce + hourMs, atOnce + 5];
    const noted = { atMs, byServiceMs: [atOnce + hourMs], rangeMs: 0, areAll: true };
    expect(notedTimes([atOnce], saved, { skewMs: 5, rangeMs: 0 })).toEqual(noted);
  });

  it('may be another time of what went out later, or by a clock that was not known, where it may have been set', () => {
    const byServiceMs = [atOnce + hourMs];
    const two = { atMs: [atOnce, atOnce + hourMs, later], byServiceMs, rangeMs: 0, areAll: false };
    expect(notedTimes([atOnce, later], saved, { skewMs: 0, rangeMs: null })).toEqual(two);
    const unheard = { ...saved, skewMs: null };
    const one = { atMs: [atOnce], rangeMs: 0, areAll: false };
    expect(notedTimes([atOnce], unheard, { skewMs: hourMs, rangeMs: null })).toEqual({ ...one, byServiceMs: [] });
    expect(notedTimes([atOnce], unheard, { skewMs: 5, rangeMs: null })).toEqual({ ...one, byServiceMs: [] });
  });

  it('is told by monotonic time of what went out as it was saved by a clock that was not known, and was set since', () => {
    const unheard = { ...saved, skewMs: null, byServiceMs: noonMs - 20 * minuteMs };
    const byServiceMs = [atOnce - 20 * minuteMs];
    expect(notedTimes([atOnce, later], unheard, { skewMs: 0, rangeMs: null }).byServiceMs).toEqual(byServiceMs);
  });

  it('is known of what went out later by a clock that was set a little at most', () => {
    const now = { skewMs: hourMs, rangeMs: 3_000 };
    const atMs = [later, later + hourMs];
    const byServiceMs = [later + hourMs];
    expect(notedTimes([later], saved, now)).toEqual({ atMs, byServiceMs, rangeMs: 3_000, areAll: true });
  });

  it('is never where nothing left', () => {
    const never = { atMs: [], byServiceMs: [], rangeMs: 0, areAll: true };
    expect(notedTimes([], saved, { skewMs: null, rangeMs: null })).toEqual(never);
    expect(notedTimes([], { ...saved, skewMs: null }, { skewMs: null, rangeMs: null })).toEqual(never);
  });
});

describe('whether something of a row may stand', () => {
  const states = (...of: readonly OperationState[]) => of.map((to) => ({ to }));

  it.each([
    [states('queued', 'sending', 'refused'), false],
    [states('queued', 'sending', 'refused', 'queued', 'sending', 'queued', 'cancelled'), false],
    [states('queued', 'sending', 'unknown', 'sending', 'refused'), true],
    [states('queued', 'sending', 'accepted', 'unknown', 'sending', 'refused'), true],
    [states('queued', 'cancelled'), false],
  ])('%j: %s', (history, mayStand) => {
    expect(mayHaveArrived(history)).toBe(mayStand);
  });
});
