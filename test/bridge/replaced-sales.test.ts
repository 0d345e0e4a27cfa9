import { beforeEach, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// A sale that the service recorded as failed, and that a manager has sent under another number: its program knows R-7 alone.
let shop: CounterShop;
let bridge: ShopBridge;
let id: string;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  id = (await post('/transactions/earn', { identifier, external_ref: 'R-7', points: 10 })).json.transaction_id;
  await shop.pass(100, 50);
  const { serviceTransactionId } = shop.operation('R-7');
  await shop.call('POST', `/_sandbox/transactions/${serviceTransactionId}/fail`, { code: 'INTERNAL' });
  await shop.pass(5_000);
});

const identifier = { loyalty_id: 'LC-1001' };
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const get = (path: string) => shop.passUntil(bridge.call('GET', `/v1${path}`));
const replace = () => shop.core.replace(shop.operation('R-7').operationId, { person: 'Mona', reason: 'again' });
async function history() {
  const { customer_id } = (await post('/customers/identify', identifier)).json;
  return (await get(`/customers/${customer_id}/transactions`)).json.data;
}
const known = () => ({ transaction_id: id, external_ref: 'R-7' });

test('is told once in the history of its customer, as its program knows it', async () => {
  expect(await history()).toMatchObject([{ ...known(), status: 'failed' }]);
  await replace();
  await shop.pass(5_000);
  expect(await shop.held('R-7-2')).toHaveLength(1);
  expect(await history()).toMatchObject([{ ...known(), status: 'success', error: null }]);
});

test('is pending in the history of its customer as long as the service has nothing under the other number', async () => {
  await shop.fault('/transactions/earn', { type: 'drop_request' });
  await replace();
  await shop.pass(5_000);
  const records = await history();
  expect(records).toHaveLength(1);
  expect(records).toMatchObject([{ ...known(), status: 'pending', error: null }]);
});

test('is the sale that its program knows when it is named by the service’s id', async () => {
  await replace();
  await shop.pass(5_000);
  const serviceId = (await get(`/transactions/${id}`)).headers.get('x-service-transaction-id');
  expect(serviceId).toBe(shop.operation('R-7-2').serviceTransactionId);
  const read = await get(`/transactions/${serviceId}`);
  expect(read.json).toMatchObject({ ...known(), status: 'success' });
  const reversal = await post(`/transactions/${serviceId}/reverse`);
  expect(reversal).toMatchObject({ status: 202, json: { reverses_transaction_id: id } });
  await shop.pass(10_000);
  expect(await history()).toMatchObject([{ intent: 'reverse' }, { ...known(), status: 'reversed' }]);
});

test('is told by that one to whoever asks for another sale under its number', async () => {
  await replace();
  await shop.pass(5_000);
  const other = await post('/transactions/earn', { identifier, external_ref: 'R-7', points: 11 });
  expect(other.status).toBe(409);
  expect(other.json.error.message).toContain('the first one under this reference is success.');
});
