import { beforeEach, describe, expect, test } from 'vitest';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { endsWithTest, openShop, type ShopBridge } from '../support/open-shop.ts';

// A till that lives with the sandbox: one test moves the clock while another one's call is under way.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  shop = await openShop();
  await shop.stop();
  shop.isEmbedded = true;
  shop.start();
  await shop.pass(1_000);
  bridge = endsWithTest(await serveCore(shop.core));
});

const customer = { loyalty_id: 'LC-1001' };
const moveClock = () => shop.call('POST', '/_sandbox/clock', { advance_ms: 60_000 });

/** A call that takes 3 seconds at the service, in which somebody moves the clock by a minute. */
async function movedDuring(path: string, body: object) {
  await shop.fault(path, { type: 'delay', ms: 3_000 }, 1);
  const arrived = Promise.withResolvers<void>();
  const { meddle } = shop;
  shop.meddle = (call, carry) => {
    if (call.target.endsWith(path)) arrived.resolve();
    return meddle(call, carry);
  };
  const calling = bridge.call('POST', `/v1${path}`, body);
  await arrived.promise;
  await shop.quiet();
  await moveClock();
  await shop.quiet();
  return shop.passUntil(calling);
}

describe('a call under way while the clock is moved by a minute gets the service’s answer', () => {
  test('of a redemption', async () => {
    const reply = await movedDuring('/transactions/redeem', { identifier: customer, external_ref: 'R-1', points: 40 });
    expect(reply).toMatchObject({ status: 200, json: { status: 'success', points: 40 } });
  });

  test('of a look for a customer', async () => {
    const profile = await shop.call('POST', '/v1/customers/identify', customer);
    const reply = await movedDuring('/customers/identify', customer);
    expect(reply).toMatchObject({ status: 200, json: { cards: profile.cards } });
  });
});

test('whoever waits for an answer waits 8 seconds of the machine’s clock', async () => {
  await shop.fault('/transactions/redeem', { type: 'delay', ms: 12_000 }, 1);
  const startedAtMs = shop.clock.now();
  const late = await shop.passUntil(
    bridge.call('POST', '/v1/transactions/redeem', { identifier: customer, external_ref: 'R-2', points: 40 }),
  );
  expect(late).toMatchObject({ status: 504, json: { error: { details: ['outcome_unknown'] } } });
  expect(shop.clock.now() - startedAtMs).toBeLessThanOrEqual(8_500);
  await shop.pass(5_000);
});

test('a customer offline has none of the balances of a time that the sandbox has left again', async () => {
  const identified = async () => {
    const reply = await shop.passUntil(bridge.call('POST', '/v1/customers/identify', customer));
    return reply.json.cards[0].balances.points;
  };
  const cutOff = async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    const points = await identified();
    await shop.call('DELETE', '/_sandbox/faults');
    await shop.pass(60_000);
    return points;
  };
  await shop.call('POST', '/_sandbox/clock', { advance_ms: 86_400_000 });
  await shop.pass(1_000);
  await shop.passUntil(
    bridge.call('POST', '/v1/transactions/redeem', { identifier: customer, external_ref: 'R-1', points: 200 }),
  );
  await shop.call('POST', '/_sandbox/reset');
  await shop.pass(1_000);
  expect(await identified()).toBe(245.5);
  expect(await cutOff()).toBe(245.5);
  await bridge.call('POST', '/v1/transactions/earn', { identifier: customer, external_ref: 'R-2', points: 300 });
  await shop.pass(5_000);
  expect(await cutOff()).toBe(545.5);
});
