import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../support/core-shop.ts';
import { answer, captivePortal, refusal } from '../support/scripted-service.ts';

const dayMs = 24 * 3_600_000;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

describe('a wall clock that jumps', () => {
  it.each([-400 * dayMs, 400 * dayMs])('by %i ms keeps nothing from being polled', async (jumpMs) => {
    shop.service.applyDelayMs = 20_000;
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    await shop.pass(5_000);
    shop.clock.jump(jumpMs);
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 300_000 });
  });

  it('back by a year keeps no row aside for a year', async () => {
    shop.service.script = ({ call, externalRef }) =>
      call === 'earn' && externalRef === 'BAD' ? refusal(500, 'INTERNAL') : answer;
    await shop.saved('BAD');
    await shop.passUntil(() => shop.operation('BAD').attempts >= 3);
    shop.clock.jump(-365 * dayMs);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('BAD') === 'applied', { limitMs: 700_000 });
  });

  it('back by a year does not make a Retry-After last a year', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '30' } }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.core.status().connection.cause === 'throttled');
    shop.clock.jump(-365 * dayMs);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.state('R-1') === 'applied', { limitMs: 120_000 });
  });
});

describe('the skew of the clock', () => {
  it('is not known before the service has answered', async () => {
    await shop.stop();
    await shop.service.stop();
    shop.start();
    expect(shop.core.status().clockSkewMs).toBeNull();
  });

  it.each([-3 * dayMs, -120_000, 0, 90_000, 5 * dayMs])(
    'of %i ms is measured from the Date headers',
    async (skewMs) => {
      await shop.stop();
      shop.service.skewMs = skewMs;
      shop.start();
      await shop.saved('R-1');
      await shop.passUntil(() => shop.state('R-1') === 'applied');
      expect(Math.abs((shop.core.status().clockSkewMs ?? Number.NaN) - skewMs)).toBeLessThanOrEqual(1_000);
    },
  );

  it('follows the clock when it is set right', async () => {
    shop.service.skewMs = 2 * dayMs;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    expect(shop.core.status().clockSkewMs).toBeGreaterThan(dayMs);
    shop.service.skewMs = 0;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    expect(Math.abs(shop.core.status().clockSkewMs ?? Number.NaN)).toBeLessThanOrEqual(1_000);
  });

  it('is not taken from an answer that is not the service’s', async () => {
    const before = shop.core.status().clockSkewMs;
    shop.service.skewMs = 9 * dayMs;
    shop.service.script = () => captivePortal;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    expect(shop.core.status().clockSkewMs).toBe(before);
  });

  it('is kept with each row as it was known when the row was saved', async () => {
    shop.service.skewMs = 120_000;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    await shop.saved('R-1');
    const row = shop.inspect((database) =>
      database.prepare('SELECT clock_skew_ms, till_time, monotonic_ms, occurred_at_from FROM operations').get(),
    );
    expect(row).toMatchObject({
      till_time: shop.clock.now(),
      monotonic_ms: shop.clock.monotonicMs(),
      occurred_at_from: 'till',
    });
    expect(Math.abs((row as { clock_skew_ms: number }).clock_skew_ms - 120_000)).toBeLessThanOrEqual(1_000);
  });
});

describe('the status', () => {
  it('tells how long the oldest waiting sale has left in the offline window', async () => {
    await shop.service.stop();
    expect(shop.core.status()).toMatchObject({ oldestWaitingAtMs: null, windowSecondsLeft: null, windowHours: 72 });
    const soldAtMs = shop.clock.now() - 70 * 3_600_000;
    await shop.saved('R-2');
    await shop.saved('R-1', { occurred_at: new Date(soldAtMs).toISOString() });
    expect(shop.core.status()).toMatchObject({ oldestWaitingAtMs: soldAtMs, windowSecondsLeft: 2 * 3600 });
    shop.clock.advance(3 * 3_600_000);
    expect(shop.core.status().windowSecondsLeft).toBe(-3600);
    // Past it or not: the service judges.
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied' && shop.state('R-2') === 'applied');
    expect(shop.core.status()).toMatchObject({ oldestWaitingAtMs: null, windowSecondsLeft: null });
  });

  it('counts what waits, and tells every change to who listens', async () => {
    const seen: string[] = [];
    let statuses = 0;
    shop.core.onChange((change) => {
      if (change.type === 'operation') seen.push(`${change.operation.externalRef} ${change.operation.state}`);
      else statuses += 1;
    });
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    await shop.quiet();
    expect(seen.filter((line) => line.startsWith('R-1'))).toEqual(
      expect.arrayContaining(['R-1 accepted', 'R-1 applied']),
    );
    expect(seen.at(-1)).toBe('R-1 applied');
    expect(statuses).toBeGreaterThan(1);
    expect(shop.core.status().operations).toEqual({
      queued: 0,
      sending: 0,
      unknown: 0,
      accepted: 0,
      refused: 0,
      failed: 0,
    });
  });
});

describe('a till whose clock is known to be wrong', () => {
  it.each([-600_000, 600_000])('by %i ms says when a sale was by the service’s clock', async (offMs) => {
    shop.service.skewMs = offMs;
    for (let look = 0; look < 6; look += 1) await shop.core.identify({ loyalty_id: 'LC-1' });
    const operation = await shop.saved('R-1');
    expect(Math.abs(operation.occurredAtMs - (shop.clock.now() + offMs))).toBeLessThan(1_500);
    const told = { occurred_at: '2026-11-20T08:00:00.000Z' };
    expect((await shop.saved('R-2', told)).occurredAtMs).toBe(Date.parse(told.occurred_at));
  });
});
