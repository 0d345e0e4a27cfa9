import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { serveCore } from '../support/bridge-server.ts';
import { callService } from '../support/call-service.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, holdCalls, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// The key of another store, whose books have their own R-1.

const minuteMs = 60_000;

let shop: CounterShop;
let otherKey: string;
beforeEach(async () => {
  shop = await openShop();
  otherKey = (await shop.call('POST', '/_sandbox/keys', { source: 'another' })).key;
});

const elsewhere = (method: string, path: string, body?: object) =>
  callService({ handle: (request) => shop.service.handle(request), apiKey: otherKey }, { method, path, body });
const heldElsewhere = async () => (await elsewhere('GET', '/v1/transactions?external_ref=R-1')).data;
const undoOf = (reversalRef: string | null) =>
  ({ origin: 'till', operationId: shop.newId(), reversalRef, reason: null, idempotencyKey: null }) as const;
const undo = (intent: 'earn' | 'redeem') => shop.core.reverse(shop.operation('R-1', intent).rowId, undoOf(null));

async function restart(key?: string): Promise<void> {
  await shop.stop();
  shop.start(key);
  await shop.pass(1_000);
}

/** Sold here under the first key; the other store has sold the same under its own. */
async function soldInBoth(): Promise<void> {
  await shop.saved('R-1');
  await shop.pass(10_000);
  await elsewhere('POST', '/v1/transactions/earn', {
    identifier: { loyalty_id: 'LC-1001' },
    external_ref: 'R-1',
    points: 10,
  });
  await shop.pass(5_000);
  expect([(await shop.held('R-1')).length, (await heldElsewhere()).length]).toEqual([1, 1]);
}

test('a sale that was sent under another store’s key is reversed when that key is back, and that store’s sale stays', async () => {
  await soldInBoth();
  await restart(otherKey);
  expect(await undo('earn')).toMatchObject({ kind: 'saved' });
  await shop.pass(20 * minuteMs, 5_000);
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
  const held = { state: 'unknown', cause: 'unauthenticated', maybeSent: false };
  expect(shop.operation('reverse-earn-R-1', 'reverse')).toMatchObject(held);
  await restart();
  await shop.pass(6 * minuteMs, 5_000);
  expect(await shop.held('R-1')).toMatchObject([{ status: 'reversed' }]);
  expect(shop.operation('R-1').state).toBe('reversed');
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
});

test.each(['stopped', 'killed'])(
  'a reversal that waits for another store’s books when the agent is %s goes out when the first key is back',
  async (ended) => {
    await soldInBoth();
    await restart(otherKey);
    const { meddle } = shop;
    const looks = holdCalls(shop, callOf('GET', '/transactions', 'external_ref=R-1'));
    await undo('earn');
    await looks.begun();
    expect(shop.operation('reverse-earn-R-1', 'reverse').state).toBe('sending');
    if (ended === 'stopped') await shop.passUntil(shop.stop());
    else shop.crash();
    looks.end();
    shop.meddle = meddle;
    shop.start();
    await shop.pass(6 * minuteMs, 5_000);
    expect(await shop.held('R-1')).toMatchObject([{ status: 'reversed' }]);
    expect(shop.operation('R-1').state).toBe('reversed');
    expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
  },
);

test('a sale is not reversed under another key while its books cannot be read', async () => {
  await soldInBoth();
  await restart(otherKey);
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  await undo('earn');
  await shop.pass(10 * minuteMs, 5_000);
  await shop.mend();
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
});

test('a sale is reversed under a new key of the same partner, which shows it', async () => {
  await shop.saved('R-1');
  await shop.pass(10_000);
  const { key } = await shop.call('POST', '/_sandbox/keys', {});
  await restart(key);
  await undo('earn');
  await shop.pass(10_000);
  expect(shop.operation('R-1').state).toBe('reversed');
});

test('a redemption that was sent under another store’s key is told as not reversed, and that store’s redemption stays', async () => {
  await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs: 2_000 }));
  await elsewhere('POST', '/v1/transactions/redeem', {
    identifier: { loyalty_id: 'LC-1001' },
    external_ref: 'R-1',
    points: 40,
  });
  await restart(otherKey);
  const decided = await undo('redeem');
  const { write } = decided.kind === 'immediate' ? decided : expect.fail();
  const outcome = await shop.passUntil(shop.core.perform(write, { waitMs: 2_000 }));
  expect(outcome).toMatchObject({ kind: 'not_sent', message: expect.stringContaining('another API key') });
  await shop.pass(minuteMs, 5_000);
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
  await restart();
  const again = await undo('redeem');
  const { write: second } = again.kind === 'immediate' ? again : expect.fail();
  expect(await shop.passUntil(shop.core.perform(second, { waitMs: 2_000 }))).toMatchObject({ kind: 'done' });
});

test('a redemption whose reversal waits for another store’s books when the agent is killed is reversed when the first key is back', async () => {
  await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs: 2_000 }));
  await restart(otherKey);
  const { meddle } = shop;
  const looks = holdCalls(shop, callOf('GET', '/transactions', 'external_ref=R-1'));
  const decided = await undo('redeem');
  void shop.core.perform(decided.kind === 'immediate' ? decided.write : expect.fail(), { waitMs: 2_000 });
  await looks.begun();
  shop.crash();
  looks.end();
  shop.meddle = meddle;
  shop.start();
  await shop.pass(minuteMs, 1_000);
  const again = await undo('redeem');
  const { write } = again.kind === 'immediate' ? again : expect.fail();
  expect(await shop.passUntil(shop.core.perform(write, { waitMs: 2_000 }))).toMatchObject({ kind: 'done' });
  await shop.pass(10_000);
  expect(await shop.held('R-1')).toMatchObject([{ status: 'reversed' }]);
});

test('a redemption that failed is told as such when its program reverses it under another store’s key, and that store’s stays', async () => {
  const redemption = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 40 };
  const failed = {
    status: 'failed',
    error: { code: 'INTERNAL', message: 'failed', retryable: false, request_id: 'r' },
  };
  const { meddle } = shop;
  answerInstead(shop, callOf('POST', '/transactions/redeem'), (own) => withFields(own, failed));
  answerInstead(shop, callOf('GET', '/transactions', 'external_ref=R-1'), (own) => {
    const { data } = own?.kind === 'response' ? JSON.parse(own.response.body) : expect.fail();
    return withFields(own, { data: data.map((record: object) => ({ ...record, ...failed })) });
  });
  const write = shop.redemption('R-1', { points: 40 }, { origin: 'bridge', posName: 'main' });
  await shop.passUntil(shop.core.perform(write, { waitMs: 2_000 }));
  expect(shop.operation('R-1', 'redeem')).toMatchObject({ state: 'cancelled', maybeSent: true });
  shop.meddle = meddle;
  await elsewhere('POST', '/v1/transactions/redeem', redemption);
  await restart(otherKey);
  const bridge = await serveCore(shop.core);
  onTestFinished(() => bridge.close());
  const reversal = { external_ref: 'R-1', intent: 'redeem' };
  expect(await shop.passUntil(bridge.call('POST', '/v1/transactions/reverse', reversal))).toMatchObject({
    status: 400,
    json: { error: { details: ['transaction_not_succeeded'] } },
  });
  await shop.pass(minuteMs, 5_000);
  expect(await heldElsewhere()).toMatchObject([{ status: 'success' }]);
});

test('a sale that was reversed under its own key leaves the sale of that number under the other one to a reversal by id', async () => {
  await soldInBoth();
  expect(await undo('earn')).toMatchObject({ kind: 'saved' });
  await shop.pass(10_000);
  expect(shop.operation('R-1').state).toBe('reversed');
  await restart(otherKey);
  const bridge = await serveCore(shop.core);
  onTestFinished(() => bridge.close());
  const [{ transaction_id: id }] = await heldElsewhere();
  const taken = await shop.passUntil(bridge.call('POST', `/v1/transactions/${id}/reverse`));
  expect(taken).toMatchObject({ status: 202, json: { reverses_transaction_id: id } });
  await shop.pass(10_000);
  expect(await heldElsewhere()).toMatchObject([{ status: 'reversed' }]);
});
