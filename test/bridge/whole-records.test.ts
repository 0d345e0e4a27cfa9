import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/core-shop.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { expectTransaction } from '../support/exact-fields.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const post = (path: string, body?: object) => bridge.call('POST', `/v1${path}`, body);
const get = (path: string) => bridge.call('GET', `/v1${path}`);
const identifier = { loyalty_id: 'LC-1001' };
const customerId = async () => (await post('/customers/identify', identifier)).json.customer_id;
const listOf = async (ref: string) => (await get(`/transactions?external_ref=${ref}`)).json.data;

async function earned(ref: string, value: object = { points: 10 }) {
  const reply = await post('/transactions/earn', { identifier, external_ref: ref, ...value });
  expect(reply.status).toBe(202);
  await shop.pass(5_000);
  return reply.json.transaction_id;
}
const redeemed = async (ref: string, value: object = { points: 40 }) =>
  (await post('/transactions/redeem', { identifier, external_ref: ref, ...value })).json;

describe('a commit', () => {
  const committed = async () => {
    const { reservation_id } = (await post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 40 }))
      .json;
    return (await post(`/redemptions/${reservation_id}/commit`, { external_ref: 'O-1' })).json;
  };

  test('keeps what it has spent on every read, online and offline', async () => {
    const answered = await committed();
    expect(answered).toMatchObject({ points: 40, amount_minor: null, currency: null });
    const isWhole = { transaction_id: answered.transaction_id, points: 40, amount_minor: null, currency: null };
    expect((await get(`/transactions/${answered.transaction_id}`)).json).toMatchObject(isWhole);
    expect(await listOf('O-1')).toEqual([expect.objectContaining(isWhole)]);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    expect((await get(`/transactions/${answered.transaction_id}`)).json).toMatchObject(isWhole);
    expect(await listOf('O-1')).toEqual([expect.objectContaining(isWhole)]);
  });

  test('keeps it after the customer and the answer were erased', async () => {
    const answered = await committed();
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(40 * 24 * 3_600_000, 3_600_000);
    const read = (await get(`/transactions/${answered.transaction_id}`)).json;
    expect(read).toMatchObject({ points: 40, customer_id: null });
  });
});

test('a currency stands only beside an amount, in every answer', async () => {
  await earned('P-1', { points: 10, currency: 'KWD' });
  await earned('M-1', { amount_minor: 2_000 });
  const spent = await redeemed('P-2');
  answerInstead(shop, callOf('GET', '/transactions', 'P-3'), () =>
    said(200, { data: [{ ...theirs, external_ref: 'P-3', currency: 'KWD' }] }),
  );
  const { duplicate, ...theirs } = { ...spent, transaction_id: 'txn_theirs' };
  expect(duplicate).toBe(false);
  for (const record of [spent, ...(await listOf('P-1')), ...(await listOf('P-2')), ...(await listOf('P-3'))]) {
    expect(record).toMatchObject({ amount_minor: null, currency: null });
  }
  expect(await listOf('M-1')).toMatchObject([{ amount_minor: 2_000, currency: 'KWD' }]);
  const history = (await get(`/customers/${await customerId()}/transactions`)).json.data;
  for (const record of history) expect(record.currency === null).toBe(record.amount_minor === null);
});

test('the new balances stand also after a reversal', async () => {
  const spent = await redeemed('R-1');
  expect(spent.new_balances.points).toBe(205.5);
  await post(`/transactions/${spent.transaction_id}/reverse`, {});
  await shop.pass(5_000);
  const read = (await get(`/transactions/${spent.transaction_id}`)).json;
  expect(read).toMatchObject({ status: 'reversed', new_balances: { points: 205.5 } });
});

test('a cursor of the service goes back to it as it came, however long it is', async () => {
  const path = `/customers/${await customerId()}/transactions`;
  const cursor = `${'x+/='.repeat(500)}é`;
  const next = { data: [], next_cursor: cursor };
  const asked = answerInstead(shop, callOf('GET', path, encodeURIComponent(cursor)), () => said(200, next));
  expect(await get(`${path}?cursor=${encodeURIComponent(cursor)}`)).toMatchObject({ status: 200, json: next });
  expect(asked.count).toBe(1);
  expect((await get(`${path}?cursor=`)).status).toBe(400);
});

test('one operation has one id in every answer, in the history too', async () => {
  const earn = await earned('R-1');
  const { transaction_id: redeem } = await redeemed('R-1');
  const other = await shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'X-1', points: 1 });
  const serviceId = shop.core.operationByTransactionId(earn)?.serviceTransactionId;
  expect((await get(`/transactions/${serviceId}`)).json.transaction_id).toBe(earn);
  expect((await listOf('R-1')).map((record: { transaction_id: string }) => record.transaction_id)).toEqual([
    earn,
    redeem,
  ]);
  const { data } = (await get(`/customers/${await customerId()}/transactions`)).json;
  for (const record of data) expectTransaction(record, 'read');
  expect(data.map((record: { transaction_id: string }) => record.transaction_id)).toEqual([
    other.transaction_id,
    redeem,
    earn,
  ]);
});

test('an accepted sale has its own id in the history, also before the service has applied it', async () => {
  const customer = await customerId();
  const { transaction_id: id } = (await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 10 }))
    .json;
  await shop.pass(100, 50);
  expect(shop.core.operationByTransactionId(id)?.state).toBe('accepted');
  const { data } = (await get(`/customers/${customer}/transactions`)).json;
  expect(data).toMatchObject([{ transaction_id: id, external_ref: 'R-1', status: 'pending' }]);
});

test.each(['by reference', 'in the history'])('what was read as done %s is not pending again', async (way) => {
  const reply = await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 10 });
  const id = reply.json.transaction_id;
  const customer = await customerId();
  await shop.pass(100, 50);
  expect(shop.core.operationByTransactionId(id)?.state).toBe('accepted');
  // The till's own poll comes after this.
  shop.clock.advance(1_020);
  const path = {
    'by reference': '/transactions?external_ref=R-1',
    'in the history': `/customers/${customer}/transactions`,
  }[way];
  const { json } = await get(path ?? '');
  const told = (json.data ?? [json]).find((one: { transaction_id: string }) => one.transaction_id === id);
  expect((await get(`/transactions/${id}`)).json.status).toBe(told.status);
  expect(told.status).toBe('success');
});

test('of a refused redemption and the commit that took its reference the commit alone is told, also offline', async () => {
  await shop.fault('/transactions/redeem', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
  await redeemed('O-1');
  expect(await listOf('O-1')).toMatchObject([{ status: 'failed' }]);
  const { reservation_id } = (await post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 40 })).json;
  const { transaction_id } = (await post(`/redemptions/${reservation_id}/commit`, { external_ref: 'O-1' })).json;
  expect(await listOf('O-1')).toMatchObject([{ transaction_id, status: 'success' }]);
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
  expect(await listOf('O-1')).toMatchObject([{ transaction_id, status: 'success' }]);
});

test('a redemption is of one time in every answer, the service’s, when the till’s clock is ahead', async () => {
  shop.setTillClock(120_000);
  const spent = await redeemed('T-1');
  const { occurred_at } = spent;
  expect((await get(`/transactions/${spent.transaction_id}`)).json).toMatchObject({ occurred_at });
  expect(await listOf('T-1')).toMatchObject([{ occurred_at }]);
  const history = (await get(`/customers/${await customerId()}/transactions`)).json.data;
  expect(history[0]).toMatchObject({ transaction_id: spent.transaction_id, occurred_at });
});

test('a reversal whose sale came to nothing is failed, with the reason', async () => {
  await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 10 });
  await shop.pass(100, 50);
  const read = (await listOf('R-1'))[0];
  const serviceId = shop.core.operationByTransactionId(read.transaction_id)?.serviceTransactionId;
  const undo = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
  expect(undo.status).toBe(202);
  await shop.call('POST', `/_sandbox/transactions/${serviceId}/fail`, { code: 'CARD_NOT_ELIGIBLE' });
  await shop.pass(10_000);
  const failed = { status: 'failed', error: { code: 'CARD_NOT_ELIGIBLE' } };
  expect((await get(`/transactions/${undo.json.transaction_id}`)).json).toMatchObject(failed);
});

describe('what another till has reversed', () => {
  const reverseElsewhere = async (ref: string, intent: string) => {
    await shop.call('POST', '/v1/transactions/reverse', { external_ref: ref, intent, reversal_ref: `other-${ref}` });
    await shop.pass(5_000);
  };

  test.each([
    ['by id', (id: string) => get(`/transactions/${id}`)],
    ['by reference', () => get('/transactions?external_ref=R-1')],
    ['in the history', async () => get(`/customers/${await customerId()}/transactions`)],
  ])('reads as reversed %s, and the row becomes reversed', async (_, read) => {
    const id = await earned('R-1');
    await reverseElsewhere('R-1', 'earn');
    expect(shop.core.operationByTransactionId(id)?.state).toBe('applied');
    const { json } = await read(id);
    const record = (json.data ?? [json]).find((one: { transaction_id: string }) => one.transaction_id === id);
    expect(record).toMatchObject({ status: 'reversed', external_ref: 'R-1' });
    await shop.pass(1_000);
    expect(shop.core.operationByTransactionId(id)?.state).toBe('reversed');
    // Known here now: the same without a line.
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    expect((await get(`/transactions/${id}`)).json.status).toBe('reversed');
  });

  test('is not believed of another record', async () => {
    const { transaction_id: id } = await redeemed('R-1');
    answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), (own) =>
      withFields(own, { external_ref: 'R-2', status: 'reversed' }),
    );
    expect((await get(`/transactions/${id}`)).json.status).toBe('success');
    await shop.pass(1_000);
    expect(shop.core.operationByTransactionId(id)?.state).toBe('applied');
  });

  test('keeps nobody waiting on a line that is silent', async () => {
    const { transaction_id: id } = await redeemed('R-1');
    answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), (own) => own ?? expect.fail());
    const before = shop.meddle;
    let isAsked = false;
    shop.meddle = (call, carry) => {
      if (!callOf('GET', /^\/transactions\/txn_/)(call)) return before(call, carry);
      isAsked = true;
      return new Promise(() => undefined);
    };
    const reading = get(`/transactions/${id}`);
    await until(() => isAsked, 'the read on the silent line');
    for (let waited = 0; waited < 10; waited += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      shop.clock.advance(110);
    }
    expect((await reading).json.status).toBe('success');
  });
});

describe('an answer about something else', () => {
  test('to a read of a stranger’s transaction is 504, and a list that is not about its reference passes nothing on', async () => {
    await redeemed('R-1');
    const others = await shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'X-1', points: 1 });
    answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), () => said(200, others));
    answerInstead(shop, callOf('GET', '/transactions'), () => said(200, { data: [others] }));
    const single = await get('/transactions/txn_stranger');
    expect(single.status).toBe(504);
    expect(single.json.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
    expect((await get('/transactions?external_ref=R-9')).status).toBe(504);
    expect(await listOf('R-1')).toMatchObject([{ external_ref: 'R-1', points: 40 }]);
  });

  test('to a history of another customer is 504', async () => {
    await redeemed('R-1');
    const id = await customerId();
    answerInstead(shop, callOf('GET', /^\/customers\//), () =>
      said(200, { data: [{ ...stranger }], next_cursor: null }),
    );
    const { duplicate: _, ...stranger } = { ...(await redeemed('R-2')), customer_id: 'cus_other' };
    expect((await get(`/customers/${id}/transactions`)).status).toBe(504);
  });
});

describe('Retry-After', () => {
  const busy = (status: number, code: string) =>
    said(status, { error: { code, message: 'm', retryable: true, request_id: 'r' } }, { 'retry-after': '7' });

  test.each([
    [429, 'RATE_LIMITED', 429],
    [503, 'INTERNAL', 504],
    [504, 'UPSTREAM_TIMEOUT', 504],
  ])('of %i %s is passed on, with a write and with a read', async (status, code, told) => {
    answerInstead(
      shop,
      (call) => !call.target.includes('external_ref=-'),
      () => busy(status, code),
      { isLost: true },
    );
    for (const reply of [
      await post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 1 }),
      await post('/customers/identify', { loyalty_id: 'LC-1002' }),
      await get('/transactions/txn_stranger'),
      await get('/transactions?external_ref=R-9'),
    ]) {
      expect(reply.status).toBe(told);
      expect(reply.headers.get('retry-after')).toBe('7');
    }
  });
});

test('a write whose answer was lost has one status, by its reference and by its id', async () => {
  await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
  // The till's own looks for it come to nothing, too.
  let isAnswered = false;
  shop.meddle = (call, carry) => {
    const isLook = call.method === 'GET' && call.target.includes('external_ref=R-1');
    return isLook && !isAnswered ? Promise.reject(new Error('cut')) : carry(call);
  };
  const lost = await post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 40 });
  expect(lost.json.error.details).toEqual(['outcome_unknown']);
  isAnswered = true;
  const [byReference] = await listOf('R-1');
  expect(shop.core.operationsByReference('R-1')).toMatchObject([{ state: 'unknown' }]);
  const byId = (await get(`/transactions/${byReference.transaction_id}`)).json;
  expect(byReference).toMatchObject({ status: 'success', points: 40 });
  expect(byId).toEqual(byReference);
});

test('a reversal that the till could send only later has one time in every answer: the service’s', async () => {
  await earned('R-1');
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
  const { json: reversal } = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
  await shop.pass(30 * 60_000, 30_000);
  await shop.mend();
  await shop.pass(10 * 60_000, 10_000);
  const { data } = (await get(`/customers/${await customerId()}/transactions`)).json;
  const inHistory = data.find(({ intent }: { intent: string }) => intent === 'reverse');
  const byId = (await get(`/transactions/${reversal.transaction_id}`)).json;
  expect(byId).toMatchObject({ intent: 'reverse', status: 'success' });
  expect(byId.occurred_at).toBe(inHistory.occurred_at);
  const byReference = await listOf(byId.external_ref);
  const reversals = byReference.filter(({ intent }: { intent: string }) => intent === 'reverse');
  expect(reversals).toMatchObject([{ occurred_at: inHistory.occurred_at }]);
});
