import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { callOf } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Somebody has set the till's clock hours before a sale: what is known of its sends is known as well as by any other clock.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const identifier = { loyalty_id: 'LC-1001' };

const isEarn = callOf('POST', '/transactions/earn');

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

async function hoursAfterSet(byMs: number): Promise<void> {
  await shop.pass(minuteMs);
  shop.setTillClock(byMs);
  for (const reference of ['W-1', 'W-2', 'W-3', 'W-4']) {
    await shop.saved(reference, { points: 1 });
    await shop.pass(minuteMs, 5_000);
  }
  await shop.pass(2 * hourMs, minuteMs);
}

/** The line is down meanwhile. */
async function offline(whileDown: () => Promise<unknown>): Promise<void> {
  const { meddle } = shop;
  shop.meddle = async () => ({ kind: 'dropped' });
  await whileDown();
  shop.meddle = meddle;
  await shop.mend();
  await shop.pass(10 * minuteMs, 5_000);
}

const atOtherTill = (kind: 'earn' | 'redeem', points: number) =>
  shop.call('POST', `/v1/transactions/${kind}`, { identifier, external_ref: 'R-1', points });

describe.each([0, 10 * minuteMs, -10 * minuteMs])('by a clock that was set by %i ms', (setMs) => {
  beforeEach(() => hoursAfterSet(setMs));

  test('a sale without an answer is not found in another till’s of 20 minutes later', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    await shop.saved('R-1');
    await shop.pass(100, 50);
    await offline(async () => {
      await shop.pass(20 * minuteMs, 5_000);
      await atOtherTill('earn', 10);
      await shop.pass(10 * minuteMs, 5_000);
    });
    expect(shop.operation('R-1')).toMatchObject({ state: 'refused', error: { details: ['occurred_at'] } });
  });

  test.each([0, 10 * minuteMs, -10 * minuteMs])(
    'a sale without an answer that the service has noted with its arrival is found, also when the clock was set by %i ms since',
    async (setSinceMs) => {
      let arrivals = 0;
      const notesArrival: typeof shop.meddle = async (call, carry) => {
        if (!isEarn(call) || arrivals > 0) return carry(call);
        arrivals += 1;
        await atOtherTill('earn', 10);
        return { kind: 'dropped' };
      };
      await offline(async () => {
        await shop.saved('R-1');
        await shop.pass(15 * minuteMs, 5_000);
        shop.setTillClock(setSinceMs);
        await shop.pass(15 * minuteMs, 5_000);
        shop.meddle = notesArrival;
        await shop.pass(2 * minuteMs, 5_000);
        expect(arrivals).toBe(1);
      });
      expect(shop.operation('R-1')).toMatchObject({ state: 'applied', error: null });
      expect(await shop.held('R-1')).toHaveLength(1);
    },
  );

  test('a redemption that was refused twice is not found in another till’s of a quarter of an hour later', async () => {
    const redeem = () => shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 5 }), { waitMs: 0 }));
    await shop.fault('/transactions/redeem', { type: 'error', status: 422, code: 'INSUFFICIENT_BALANCE' }, 2);
    await redeem();
    await shop.pass(2 * minuteMs, 5_000);
    await redeem();
    await offline(async () => {
      // The look at ten minutes waits for the line.
      await shop.pass(17 * minuteMs, 5_000);
      await atOtherTill('redeem', 5);
    });
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', found: null });
  });
});
