import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const identifier = { loyalty_id: 'LC-1001' };
const post = (path: string, body?: object, headers?: Record<string, string>) =>
  shop.passUntil(bridge.call('POST', `/v1${path}`, body, headers));
const unknown = { status: 504, json: { error: { details: ['outcome_unknown'] } } };
const notSent = { status: 504, json: { error: { details: ['not_sent'] } } };

const cutLine = async () => {
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
};

describe.each([
  ['reserve', '/redemptions/reserve', { identifier, external_ref: 'C-1', points: 10 }],
  ['enroll', '/customers/enroll', { external_ref: 'E-1', phone: '+96550001234', name: 'Huda', channel: 'pos' }],
  ['verify', '/customers/enroll/verify', { enrollment_id: 'enr_1', otp: '123456' }],
])('a write that is asked for once more after its answer was lost (%s)', (_, path, body) => {
  test.each([
    ['the line is down', cutLine],
    ['the line is cut in that moment', () => shop.fault(path, { type: 'offline' })],
  ])('may be done: it is not told as not sent while %s', async (_when, cut) => {
    await shop.fault(path, { type: 'drop_response' }, 1);
    expect(await post(path, body)).toMatchObject(unknown);
    await cut();
    for (let times = 0; times < 2; times += 1) expect(await post(path, body)).toMatchObject(unknown);
  });

  test('is told with the time for which the service asks to wait', async () => {
    await shop.fault(path, { type: 'drop_response' }, 1);
    await post(path, body);
    await shop.fault(path, { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 7 }, 1);
    const again = await post(path, body);
    expect(again).toMatchObject(unknown);
    expect(again.headers.get('retry-after')).toBe('7');
  });

  test('is not sent where nothing was sent before', async () => {
    await cutLine();
    for (let times = 0; times < 2; times += 1) expect(await post(path, body)).toMatchObject(notSent);
  });
});

test('a hold whose answer was lost is found once the line is back, and there is one', async () => {
  const body = { identifier, external_ref: 'C-1', points: 10 };
  await shop.fault('/redemptions/reserve', { type: 'drop_response' }, 1);
  await post('/redemptions/reserve', body);
  await cutLine();
  expect(await post('/redemptions/reserve', { ...body, points: 11 })).toMatchObject(notSent);
  expect(await post('/redemptions/reserve', body)).toMatchObject(unknown);
  await shop.mend();
  await shop.pass(60_000, 1_000);
  expect(await post('/redemptions/reserve', body)).toMatchObject({ status: 200, json: { state: 'reserved' } });
});

describe('the reversal of another till’s sale, asked for once more while the line is down', () => {
  const elsewhere = async (ref: string) => {
    const earn = { identifier, external_ref: ref, points: 10 };
    const { transaction_id: id } = await shop.call('POST', '/v1/transactions/earn', earn);
    await shop.pass(3_000);
    return id;
  };
  const byId = (id: string, part: object = {}) => post(`/transactions/${id}/reverse`, part);
  const byReference = (part: object = {}) =>
    post('/transactions/reverse', { external_ref: 'X-1', intent: 'earn', ...part });

  test('says that it was done', async () => {
    const id = await elsewhere('X-1');
    const { json } = await byId(id);
    await shop.pass(10_000);
    const other = await elsewhere('Y-1');
    await cutLine();
    expect(await byId(id)).toMatchObject({
      status: 200,
      json: { transaction_id: json.transaction_id, duplicate: true, reverses_transaction_id: id },
    });
    expect(await byId(id, { points: 10 })).toMatchObject(unknown);
    expect(await byReference({ points: 10 })).toMatchObject(unknown);
    expect(await byId(other)).toMatchObject(notSent);
  });

  test('does not say that it was not sent when its answer was lost', async () => {
    const id = await elsewhere('X-1');
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
    expect(await byId(id)).toMatchObject(unknown);
    await cutLine();
    for (const part of [{}, { points: 10 }]) {
      expect(await byId(id, part)).toMatchObject(unknown);
      expect(await byReference(part)).toMatchObject(unknown);
    }
    expect(await byReference({ external_ref: 'Z-1', points: 10 })).toMatchObject(notSent);
  });

  test('is told with the time for which the service asks to wait before its books are read', async () => {
    const id = await elsewhere('X-1');
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
    expect(await byId(id)).toMatchObject(unknown);
    await shop.fault(`/transactions/${id}`, { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 7 }, 1);
    const again = await byId(id);
    expect(again).toMatchObject(unknown);
    expect(again.headers.get('retry-after')).toBe('7');
  });

  test('does not say that it was not sent when another program’s answer was lost, too', async () => {
    const [theirs, ours] = [await elsewhere('Y-1'), await elsewhere('X-1')];
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 2);
    const second = { authorization: 'Bearer tb_local_second' };
    expect(await post(`/transactions/${theirs}/reverse`, undefined, second)).toMatchObject(unknown);
    expect(await byId(ours)).toMatchObject(unknown);
    await cutLine();
    expect(await byId(ours)).toMatchObject(unknown);
    expect(await post(`/transactions/${theirs}/reverse`, undefined, second)).toMatchObject(unknown);
  });

  test('is found by the caller’s own reference', async () => {
    const id = await elsewhere('X-1');
    await byId(id, { reversal_ref: 'V-1' });
    await cutLine();
    expect(await byId(id, { reversal_ref: 'V-1' })).toMatchObject({ status: 200, json: { duplicate: true } });
    expect(await byId(id, { reversal_ref: 'V-2' })).toMatchObject(notSent);
  });
});
