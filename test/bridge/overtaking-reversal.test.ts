import { beforeEach, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// A POS that voids a sale at once, over another connection: the reversal is there while the earn is still being saved.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const sale = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 10 };
const reversal = { external_ref: 'R-1', intent: 'earn' };
const post = (path: string, body: object) => bridge.call('POST', `/v1/transactions/${path}`, body);
const books = async () => (await shop.held('R-1')).map(({ status }) => status);

test('a reversal that overtakes the saving of its earn reverses it', async () => {
  const [reversed, earned] = await shop.passUntil(Promise.all([post('reverse', reversal), post('earn', sale)]));
  expect(earned.status).toBe(202);
  expect(reversed.status).toBe(202);
  await shop.pass(60_000, 1_000);
  expect(await books()).toSatisfy((held: readonly string[]) => held.every((status) => status === 'reversed'));
  expect(shop.core.operationsByReference('R-1').map(({ state }) => state)).toEqual(['reversed']);
});

test('also where the earn is at the service before it', async () => {
  await shop.fault('/transactions/reverse', { type: 'delay', ms: 500 }, 1);
  const [reversed] = await shop.passUntil(Promise.all([post('reverse', reversal), post('earn', sale)]));
  expect(reversed.status).toBe(202);
  await shop.pass(60_000, 1_000);
  expect(await books()).toEqual(['reversed']);
});

test('a reversal of what nobody has sold stays refused', async () => {
  expect(await shop.passUntil(post('reverse', reversal))).toMatchObject({ status: 404 });
});
