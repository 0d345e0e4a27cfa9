import { describe, expect, it } from 'vitest';
import { runsOutAtAnotherTime } from '../../app/operations/ownership/reservation-time.ts';
import { isOneShot } from '../../app/operations/reversals/reversal-row.ts';
import { settleChanged } from '../../app/operations/settlement/settlement.ts';
import { fakeNowMs, fakeOperation } from '../support/fake-records.ts';

describe('a hold', () => {
  const minuteMs = 60_000;
  const endsAt = (ms: number) => ({ expires_at: new Date(fakeNowMs + ms).toISOString() });

  it.each([
    ['just now', 15, 15 * minuteMs, false],
    ['just now, by a clock that is half a minute off', 15, 15 * minuteMs - 30_000, false],
    ['ten minutes ago', 15, 5 * minuteMs, true],
    ['in ten minutes, so it is somebody else’s', 15, 25 * minuteMs, true],
  ])('that was made %s', (_, ttl_minutes, leftMs, isAnother) => {
    expect(runsOutAtAnotherTime({ ttl_minutes }, endsAt(leftMs), fakeNowMs)).toBe(isAnother);
  });

  it('that runs for as long as the service pleases may run out at any time', () => {
    expect(runsOutAtAnotherTime({}, endsAt(5 * minuteMs), fakeNowMs)).toBe(false);
  });
});

describe('a redemption', () => {
  const nothing = { amountMinor: null, points: null, stamps: null, visits: null };

  it.each(['amountMinor', 'points', 'stamps', 'visits'] as const)('of %s can be taken back', (unit) => {
    expect(isOneShot(fakeOperation({ intent: 'redeem', ...nothing, [unit]: 5 }))).toBe(false);
  });

  it('of a reward or a coupon cannot', () => {
    expect(isOneShot(fakeOperation({ intent: 'redeem', ...nothing }))).toBe(true);
  });
});

// Refused, its reference is free for another: one that may be at the service would be done twice.
it.each([
  [false, 'refuse'],
  [true, 'lose'],
])('a row that was changed on the disk, and may have been sent (%s), is settled as %s', (maybeSent, event) => {
  const change = settleChanged({ rowId: 1, send: 2, attempts: 1, maybeSent }, fakeNowMs);
  expect(change).toMatchObject({ event, maybeSent });
});
