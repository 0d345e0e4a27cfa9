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

describe('a sale taken right after the till’s clock was set', () => {
  it.each([-7_200_000, 7_200_000])('by %i ms is sent with the right time', async (byMs) => {
    const rightMs = shop.clock.now();
    shop.clock.jump(byMs);
    // The service's clock did not jump with the till's.
    shop.service.skewMs = -byMs;
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const [sent] = shop.service.earnsOf('R-1');
    const { occurred_at } = JSON.parse(sent?.body ?? '{}');
    expect(Math.abs(Date.parse(occurred_at) - rightMs)).toBeLessThan(5_000);
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

describe('the time of a sale that was saved while the clock was wrong', () => {
  const sentOccurredAt = (ref: string): number => {
    const body = shop.service.earns.find(({ externalRef }) => externalRef === ref)?.body;
    return Date.parse(JSON.parse(body ?? '{}').occurred_at);
  };
  const tillTime = (ref: string): unknown =>
    shop.inspect((database) =>
      database.prepare('SELECT till_time, occurred_at FROM operations WHERE external_ref = ?').get(ref),
    );
  const offline = async () => {
    await shop.stop();
    await shop.service.stop();
    shop.start();
    await shop.pass(1_000);
  };

  it('is corrected once the skew is known, before the first send; the till’s own time is kept beside it', async () => {
    await offline();
    await shop.saved('R-1');
    const soldAtMs = shop.clock.now();
    await shop.pass(600_000, 10_000);
    shop.service.skewMs = 3 * dayMs;
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(Math.abs(sentOccurredAt('R-1') - (soldAtMs + 3 * dayMs))).toBeLessThan(2_000);
    expect(tillTime('R-1')).toEqual({ till_time: soldAtMs, occurred_at: sentOccurredAt('R-1') });
  });

  it.each([365 * dayMs, -365 * dayMs, -2 * dayMs])(
    'is right, too, when the dates by which it was made were %i ms wrong',
    async (wrongMs) => {
      shop.service.skewMs = wrongMs;
      for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-0');
      expect(Math.abs(shop.core.status().clockSkewMs ?? 0)).toBeGreaterThan(dayMs);
      await shop.service.stop();
      await shop.passUntil(() => shop.core.status().connection.state === 'offline');
      const soldAtMs = shop.clock.now();
      await shop.saved('R-1');
      await shop.pass(60_000, 1_000);
      shop.service.skewMs = 0;
      await shop.service.start();
      await shop.passUntil(() => shop.state('R-1') === 'applied');
      expect(Math.abs(sentOccurredAt('R-1') - soldAtMs)).toBeLessThan(2_000);
    },
  );

  it('is right, too, when somebody sets the clock before the line is back', async () => {
    // A till whose battery was empty begins in another year.
    shop.clock.jump(-400 * dayMs);
    await offline();
    await shop.saved('R-1');
    await shop.pass(600_000, 10_000);
    shop.clock.jump(400 * dayMs);
    const nowMs = shop.clock.now();
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(Math.abs(sentOccurredAt('R-1') - (nowMs - 600_000))).toBeLessThan(2_000);
  });

  it('is corrected by the skew after a restart', async () => {
    await offline();
    await shop.saved('R-1');
    const soldAtMs = shop.clock.now();
    await shop.stop();
    shop.service.skewMs = -2 * dayMs;
    await shop.service.start();
    shop.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(Math.abs(sentOccurredAt('R-1') - (soldAtMs - 2 * dayMs))).toBeLessThan(2_000);
  });

  it('is left as it is when one answer alone has another date, which somebody on the way has kept', async () => {
    await offline();
    await shop.saved('R-1');
    const soldAtMs = shop.clock.now();
    let asked = 0;
    shop.service.script = () => {
      asked += 1;
      shop.service.skewMs = asked === 1 ? -2 * dayMs : 0;
      return answer;
    };
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(Math.abs(sentOccurredAt('R-1') - soldAtMs)).toBeLessThan(2_000);
    expect(asked).toBeGreaterThanOrEqual(3);
  });

  it('is never corrected when the caller has said it', async () => {
    await offline();
    const said = '2026-11-20T10:00:00.000Z';
    await shop.saved('R-1', { occurred_at: said });
    shop.service.skewMs = 3 * dayMs;
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(sentOccurredAt('R-1')).toBe(Date.parse(said));
  });

  it.each([
    ['three days behind', 3 * dayMs],
    ['three days ahead', -3 * dayMs],
    ['right', 0],
  ])(
    'is left as it is where the clock was known to be %s, though it is wrong in another way after a restart',
    async (_, skewMs) => {
      shop.service.skewMs = skewMs;
      for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
      await shop.service.stop();
      await shop.core.readTransactionsByReference('R-1');
      await shop.passUntil(() => shop.core.status().connection.state === 'offline');
      const { occurredAtMs } = await shop.saved('R-1');
      expect(Math.abs(occurredAtMs - (shop.clock.now() + skewMs))).toBeLessThan(1_500);
      await shop.stop();
      // A battery was empty, or somebody set it while the till was off.
      shop.service.skewMs = 400 * dayMs;
      await shop.service.start();
      shop.start();
      await shop.passUntil(() => shop.state('R-1') === 'applied');
      expect(sentOccurredAt('R-1')).toBe(occurredAtMs);
    },
  );

  it('is left as it is when the skew is less than a minute', async () => {
    await offline();
    await shop.saved('R-1');
    const soldAtMs = shop.clock.now();
    shop.service.skewMs = 50_000;
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(sentOccurredAt('R-1')).toBe(soldAtMs);
  });

  it('is frozen from the first send: a later correction changes no byte', async () => {
    shop.service.script = ({ call, attempt }) => (call === 'earn' && attempt === 1 ? { kind: 'lose_request' } : answer);
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'unknown');
    shop.service.skewMs = 5 * dayMs;
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const bodies = shop.service.earns.filter(({ externalRef }) => externalRef === 'R-1').map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies.length).toBeGreaterThan(1);
  });

  it('shows on the top bar as a wrong clock, until it is set right', async () => {
    shop.service.skewMs = 10 * 60_000;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    expect(shop.core.status().connection.state).toBe('clock_wrong');
    shop.clock.jump(10 * 60_000);
    shop.service.skewMs = 0;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    expect(shop.core.status().connection.state).toBe('online');
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

  it.each([-4, 4])('tells the time that is left by the service’s clock, which is %i days ahead', async (byDays) => {
    shop.service.skewMs = byDays * dayMs;
    for (let index = 0; index < 6; index += 1) await shop.core.readTransactionsByReference('R-1');
    await shop.service.stop();
    await shop.saved('R-1');
    expect(shop.core.status().windowSecondsLeft).toBe(72 * 3600);
  });

  it('counts what waits, and tells every change to who listens', async () => {
    const seen: string[] = [];
    let statuses = 0;
    shop.core.onChange((change) => {
      if (change.type === 'operation') {
        const operation = shop.core.operation(change.rowId);
        seen.push(`${operation?.externalRef} ${operation?.state}`);
      } else statuses += 1;
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
      found: 0,
      changed: 0,
      checking: 0,
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
