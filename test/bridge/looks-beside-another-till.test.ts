import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  await shop.call('POST', '/_sandbox/customers', {
    cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B', balances: { points: 300 } }],
  });
});
const theirs = { loyalty_id: 'LC-1001' };
const ours = { loyalty_id: 'LC-B' };
/** Another till's request, of which this one knows nothing. */
const other = (path: string, body: object) => shop.call('POST', `/v1${path}`, body);
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const get = (path: string) => shop.passUntil(bridge.call('GET', `/v1${path}`));
const idOf = (ref: string) => shop.core.operationsByReference(ref)[0]?.transactionId;
const lose = (path: string) => shop.fault(path, { type: 'drop_request' });

/** What a look by the reference and one by the id tell of the till's own request. */
async function told(ref: string) {
  const id = idOf(ref);
  const list = (await get(`/transactions?external_ref=${ref}`)).json.data;
  const listed = list.find((record: { transaction_id: string }) => record.transaction_id === id);
  return { byReference: listed.status, byId: (await get(`/transactions/${id}`)).json.status, records: list.length };
}

describe('a request that was lost is not told as done by another till’s record of its number and value', () => {
  test('of another customer, for a redemption', async () => {
    await other('/transactions/redeem', { identifier: theirs, external_ref: 'N', points: 10 });
    await lose('/transactions/redeem');
    await post('/transactions/redeem', { identifier: ours, external_ref: 'N', points: 10 });
    expect(await told('N')).toEqual({ byReference: 'pending', byId: 'pending', records: 2 });
  });

  test('of another customer, for an earn', async () => {
    const { transaction_id } = await other('/transactions/earn', { identifier: theirs, external_ref: 'N', points: 5 });
    await shop.pass(3_000);
    await lose('/transactions/earn');
    await post('/transactions/earn', { identifier: ours, external_ref: 'N', points: 5 });
    await shop.pass(100, 50);
    expect(shop.core.operationsByReference('N')).toMatchObject([{ state: 'unknown' }]);
    expect(await told('N')).toEqual({ byReference: 'pending', byId: 'pending', records: 2 });
    const { customer_id } = (await post('/customers/identify', theirs)).json;
    const history = (await get(`/customers/${customer_id}/transactions`)).json.data;
    expect(history).toMatchObject([{ transaction_id }]);
  });

  test('of yesterday', async () => {
    await other('/transactions/redeem', { identifier: ours, external_ref: 'N', points: 10 });
    await shop.pass(24 * 3_600_000, 3_600_000);
    await lose('/transactions/redeem');
    await post('/transactions/redeem', { identifier: ours, external_ref: 'N', points: 10 });
    expect(await told('N')).toEqual({ byReference: 'pending', byId: 'pending', records: 2 });
  });

  test('of another reservation, for a commit: nothing in the record tells the two apart', async () => {
    const c1 = await other('/redemptions/reserve', { identifier: theirs, external_ref: 'c1', points: 10 });
    const c2 = await post('/redemptions/reserve', { identifier: theirs, external_ref: 'c2', points: 10 });
    await other(`/redemptions/${c1.reservation_id}/commit`, { external_ref: 'O' });
    const path = `/redemptions/${c2.json.reservation_id}/commit`;
    await lose(path);
    const { status } = await post(path, { external_ref: 'O' });
    expect([status, await told('O')]).toEqual([504, { byReference: 'pending', byId: 'pending', records: 1 }]);
  });
});

test('a sale that was never sent is pending beside a record that agrees in everything', async () => {
  await other('/transactions/earn', { identifier: ours, external_ref: 'N', points: 5 });
  await shop.pass(3_000);
  await shop.fault('/transactions/earn', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 600 });
  await post('/transactions/earn', { identifier: theirs, external_ref: 'N-0', points: 1 });
  await shop.pass(500, 50);
  await post('/transactions/earn', { identifier: ours, external_ref: 'N', points: 5 });
  expect(shop.core.operationsByReference('N')).toMatchObject([{ state: 'queued', maybeSent: false }]);
  expect(await told('N')).toEqual({ byReference: 'pending', byId: 'pending', records: 1 });
});

test('a sale whose answer was lost is told as done by its own record', async () => {
  await shop.fault('/transactions/earn', { type: 'drop_response' });
  await post('/transactions/earn', { identifier: ours, external_ref: 'N', points: 5 });
  await shop.pass(100, 50);
  shop.clock.advance(2_000);
  expect(shop.core.operationsByReference('N')).toMatchObject([{ state: 'unknown' }]);
  expect(await told('N')).toEqual({ byReference: 'success', byId: 'success', records: 1 });
});
