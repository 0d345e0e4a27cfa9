import { beforeEach, describe, expect, test } from 'vitest';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { endsWithTest, openShop, type ShopBridge } from '../support/open-shop.ts';

// A till that lives with the sandbox, whose clock a tester holds still.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  shop = await openShop();
  await shop.stop();
  shop.isEmbedded = true;
  shop.start();
  await shop.pass(1_000);
  bridge = endsWithTest(await serveCore(shop.core));
  await shop.call('POST', '/_sandbox/clock', { mode: 'manual' });
});

const error = { type: 'error', status: 500, code: 'INTERNAL' };
const tries = async (externalRef: string, path: string) => {
  const { data } = await shop.call('GET', '/_sandbox/requests?limit=100');
  return data.filter((call: { path: string; external_ref: string }) =>
    call.path.endsWith(path) ? call.external_ref === externalRef : false,
  ).length;
};

describe('while the clock is held still', () => {
  test.each([error, { type: 'drop_request' }, { type: 'drop_response' }, { type: 'partial_response' }])(
    'a sale that $type has struck twice is sent again',
    async (effect) => {
      await shop.fault('/transactions/earn', effect, 2);
      await shop.saved('S-1');
      await shop.pass(10_000);
      expect(await shop.held('S-1')).toHaveLength(1);
    },
  );

  test('one that fails each time is not sent again without its wait', async () => {
    await shop.fault('/transactions/earn', error);
    await shop.saved('S-1');
    await shop.pass(120_000);
    const tried = await tries('S-1', '/transactions/earn');
    expect(tried).toBeGreaterThan(4);
    expect(tried).toBeLessThan(12);
  });

  test('a sale that waits goes on after a restart, and after the sandbox has been started over', async () => {
    await shop.fault('/transactions/earn', error);
    await shop.saved('S-1');
    await shop.pass(30_000);
    await shop.stop();
    await shop.mend();
    shop.start();
    await shop.pass(60_000);
    expect(await shop.held('S-1')).toHaveLength(1);

    await shop.call('POST', '/_sandbox/clock', { advance_ms: 3_600_000 });
    await shop.fault('/transactions/earn', error);
    await shop.saved('S-2');
    await shop.pass(10_000);
    await shop.call('POST', '/_sandbox/reset');
    await shop.mend();
    await shop.pass(60_000);
    // It was sent; its time lies ahead of the service's, which is no longer what it was.
    expect(shop.operation('S-2')).toMatchObject({
      state: 'refused',
      error: { details: ['occurred_at_outside_window'] },
    });
  });

  test('a redemption whose answer was lost is found out when its caller has gone', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    // Its look-ups fail, and no other.
    const looks = { method: 'GET', external_ref: 'R-1' };
    await shop.call('POST', '/_sandbox/faults', { match: looks, effect: error });
    const redemption = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 40 };
    const reply = await shop.passUntil(bridge.call('POST', '/v1/transactions/redeem', redemption));
    expect(reply).toMatchObject({ status: 504 });
    await shop.pass(120_000);
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'unknown' });
    await shop.mend();
    await shop.pass(300_000, 1_000);
    expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'applied' });
  });
});

test('a reversal that was refused as done, and is not, waits five seconds though the clock is held for long', async () => {
  const redemption = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 40 };
  expect((await shop.passUntil(bridge.call('POST', '/v1/transactions/redeem', redemption))).status).toBe(200);
  await shop.pass(600_000, 1_000);
  await shop.fault('/transactions/reverse', { type: 'error', status: 409, code: 'ALREADY_REVERSED' });
  await shop.passUntil(
    bridge.call('POST', '/v1/transactions/reverse', { external_ref: 'R-1', intent: 'redeem', reversal_ref: 'V-1' }),
  );
  await shop.pass(4_000);
  expect(await tries('R-1', '/transactions/reverse')).toBe(1);
  await shop.pass(4_000);
  expect(await tries('R-1', '/transactions/reverse')).toBe(2);
});

describe('a sale that the service has taken', () => {
  const step = (byMs: number) => shop.call('POST', '/_sandbox/clock', { advance_ms: byMs });
  const state = () => shop.operation('S-1').state;

  test.each([
    ['just', 3_000],
    ['long ago', 600_000],
  ])('is asked about when the clock that was held %s before is stepped', async (_, heldMs) => {
    await shop.saved('S-1');
    await shop.pass(heldMs, 500);
    expect(state()).toBe('accepted');
    await step(400);
    await shop.pass(3_000);
    expect(state()).toBe('accepted');
    await step(700);
    await shop.pass(3_000);
    expect(state()).toBe('applied');
  });

  test('is asked about again while the clock is held: its poll had no answer', async () => {
    await shop.saved('S-1');
    await shop.pass(1_000);
    const polls = { method: 'GET', path: `/transactions/${shop.operation('S-1').serviceTransactionId}` };
    await shop.call('POST', '/_sandbox/faults', { match: polls, effect: error, times: 1 });
    await step(1_500);
    await shop.pass(15_000);
    expect(state()).toBe('applied');
  });

  test('is asked about when the clock is let go, and when one that goes on is stepped', async () => {
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 3_600_000 });
    await shop.saved('S-1');
    await shop.pass(600_000, 500);
    await step(3_600_000);
    await shop.call('POST', '/_sandbox/clock', { mode: 'real' });
    await shop.pass(3_000);
    expect(state()).toBe('applied');
    await shop.saved('S-2');
    await shop.pass(600_000, 500);
    await step(3_600_000);
    await shop.pass(3_000);
    expect(shop.operation('S-2').state).toBe('applied');
  });

  test.each([-3_600_000, -30_000])('is asked about as soon where the till’s clock is set by %i ms', async (byMs) => {
    await shop.stop();
    shop.isEmbedded = false;
    shop.start();
    await shop.call('POST', '/_sandbox/clock', { mode: 'real' });
    await shop.pass(1_000);
    await shop.saved('S-1');
    await shop.pass(500);
    expect(state()).toBe('accepted');
    shop.setTillClock(byMs);
    await shop.pass(3_000);
    expect(state()).toBe('applied');
  });
});

test.each([-120_000, 3_600_000])(
  'the waits between two tries stay as long where the till’s clock is set by %i ms',
  async (byMs) => {
    await shop.stop();
    shop.isEmbedded = false;
    shop.start();
    await shop.call('POST', '/_sandbox/clock', { mode: 'live' });
    await shop.fault('/transactions/earn', error);
    await shop.saved('S-1');
    await shop.pass(30_000);
    const before = await tries('S-1', '/transactions/earn');
    shop.setTillClock(byMs);
    await shop.pass(120_000);
    const since = (await tries('S-1', '/transactions/earn')) - before;
    expect(since).toBeGreaterThan(0);
    expect(since).toBeLessThan(9);
  },
);
