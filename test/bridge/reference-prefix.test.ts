import { beforeEach, describe, expect, test } from 'vitest';
import { withoutPrefix } from '../../app/bridge/reference-prefix.ts';
import { endpointNames } from '../../shared/contract/endpoints.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// Two POS programs of one till that number their receipts alike, on the real service: one with the prefix `B-`.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const identifier = { loyalty_id: 'LC-1001' };
const asPrefixed = { authorization: 'Bearer tb_local_prefixed' };
const answers: string[] = [];
beforeEach(() => void answers.splice(0));

/** A call of the program with the prefix; whatever it is answered is looked through. */
async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await bridge.call(method, `/v1${path}`, body, { ...asPrefixed, ...headers });
  answers.push(JSON.stringify(reply.json));
  return reply;
}
const post = (path: string, body?: object, headers?: Record<string, string>) => call('POST', path, body, headers);
const get = (path: string) => call('GET', path);

test('stands in front of the references of all thirteen calls at the service, and in no answer', async () => {
  const called = new Set<string>();
  const named = <Reply>(name: (typeof endpointNames)[number], reply: Promise<Reply>) => {
    called.add(name);
    return reply;
  };
  const customer = (await named('identify', post('/customers/identify', identifier))).json.customer_id;

  const enrolling = { external_ref: 'E-1', phone: '55512345', name: 'Noura' };
  const { enrollment_id } = (await named('enroll', post('/customers/enroll', enrolling))).json;
  const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
  expect((await named('verify', post('/customers/enroll/verify', { enrollment_id, otp }))).status).toBe(201);
  // An identifier goes out as it is: the customer has the name that the service was given.
  expect((await post('/customers/identify', { external_id: 'E-1' })).status).toBe(404);
  expect((await post('/customers/identify', { external_id: 'B-E-1' })).status).toBe(200);

  const earn = { identifier, external_ref: 'R-1', points: 5 };
  const earned = (await named('earn', post('/transactions/earn', earn))).json.transaction_id;
  await shop.pass(5_000);
  expect((await named('transaction', get(`/transactions/${earned}`))).json).toMatchObject({
    status: 'success',
    external_ref: 'R-1',
  });
  const redeeming = { identifier, external_ref: 'R-2', points: 7 };
  expect((await named('redeem', post('/transactions/redeem', redeeming))).json.external_ref).toBe('R-2');
  const listed = await named('transactionsByReference', get('/transactions?external_ref=R-2'));
  expect(listed.json.data).toMatchObject([{ external_ref: 'R-2', points: 7 }]);
  const reversing = { external_ref: 'R-2', intent: 'redeem', reversal_ref: 'R-2-undo' };
  expect((await named('reverse', post('/transactions/reverse', reversing))).status).toBe(202);
  const undone = await named('reverseById', post(`/transactions/${earned}/reverse`));
  expect(undone.status).toBe(202);
  await shop.pass(5_000);

  const reserving = { identifier, external_ref: 'CART-1', points: 3 };
  const { reservation_id: held } = (await named('reserve', post('/redemptions/reserve', reserving))).json;
  const committed = await named('commit', post(`/redemptions/${held}/commit`, { external_ref: 'ORDER-1' }));
  expect(committed.json.external_ref).toBe('ORDER-1');
  const again = { ...reserving, external_ref: 'CART-2' };
  const { reservation_id: open } = (await post('/redemptions/reserve', again)).json;
  expect((await named('release', post(`/redemptions/${open}/release`))).json.state).toBe('released');
  const history = (await named('history', get(`/customers/${customer}/transactions`))).json.data;
  expect(history.map((row: { external_ref: string }) => row.external_ref)).toEqual(
    expect.arrayContaining(['R-1', 'R-2', 'R-2-undo', 'ORDER-1', 'reverse-earn-R-1']),
  );

  expect([...called].sort()).toEqual([...endpointNames].sort());
  expect(answers.join('\n')).not.toContain('B-');
  const operations = shop.core.recentOperations({ limit: 100 });
  expect(operations.length).toBeGreaterThan(8);
  expect(new Set(operations.map(({ posName }) => posName))).toEqual(new Set(['prefixed']));
  const refs = ['E-1', 'R-1', 'R-2', 'R-2-undo', 'ORDER-1'];
  for (const ref of refs) {
    expect(await shop.held(ref), ref).toEqual([]);
    expect(await shop.held(`B-${ref}`), `B-${ref}`).not.toEqual([]);
  }
});

test('is not told by errors, nor by transactions that failed', async () => {
  const earn = { identifier, external_ref: 'R-1', amount_minor: 1_000 };
  await post('/transactions/earn', earn);
  const other = await post('/transactions/earn', { ...earn, amount_minor: 2_000 });
  expect(other.status).toBe(409);
  expect(other.json.error.message).toContain('external_ref R-1 ');
  await post('/transactions/redeem', { identifier, external_ref: 'R-2', points: 2 });
  const taken = await post('/transactions/redeem', { identifier, external_ref: 'R-2', points: 3 });
  expect(taken.json.error.message).toContain('external_ref R-2 ');
  expect(answers.join('\n')).not.toContain('B-R');
});

test('is taken out of the words of the service: of whole references, and in errors alone', () => {
  const error = { code: 'INTERNAL', message: 'B-R-9: no', details: ['B-R-9', { ref: 'of B-R-9', is: 'B-flat' }] };
  const row = { external_ref: 'B-R-9', card_id: 'CARD-B-R-9', error };
  const stripped = { code: 'INTERNAL', message: 'R-9: no', details: ['R-9', { ref: 'of R-9', is: 'B-flat' }] };
  const told = (answer: object, references: readonly string[] = []) =>
    JSON.parse(withoutPrefix(['B-'], JSON.stringify(answer), references));
  expect(told({ data: [row] })).toEqual({
    data: [{ external_ref: 'R-9', card_id: 'CARD-B-R-9', error: stripped }],
  });
  expect(told({ error }, ['B-R-9'])).toEqual({ error: stripped });
  expect(told({ error })).toEqual({ error });
  expect(told({ external_ref: 'C-R-9' })).toEqual({ external_ref: 'C-R-9' });
});

test('keeps the reference of a reversal that the agent made up within reach', async () => {
  const earn = { identifier, external_ref: 'R-1', points: 5 };
  const { transaction_id: id } = (await post('/transactions/earn', earn)).json;
  await shop.pass(5_000);
  const { transaction_id: undoId } = (await post(`/transactions/${id}/reverse`)).json;
  const made = (await get(`/transactions/${undoId}`)).json.external_ref;
  expect(made).toBe('reverse-earn-R-1');
  const found = (await get(`/transactions?external_ref=${made}`)).json.data;
  expect(found.map((row: { transaction_id: string }) => row.transaction_id)).toEqual([undoId]);
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'receipt-1' };

  test('of one program does not stand in the way of another that counts alike', async () => {
    const earn = { identifier, external_ref: 'R-1', points: 5 };
    const mine = await post('/transactions/earn', earn, key);
    const theirs = await bridge.call('POST', '/v1/transactions/earn', { ...earn, points: 6 }, key);
    await shop.pass(10_000);
    const statuses = [
      (await get(`/transactions/${mine.json.transaction_id}`)).json.status,
      (await bridge.call('GET', `/v1/transactions/${theirs.json.transaction_id}`)).json.status,
    ];
    expect(statuses).toEqual(['success', 'success']);
  });

  test('that is too long with the prefix is refused at the door', async () => {
    const earn = { identifier, external_ref: 'R-1', points: 5 };
    const reply = await post('/transactions/earn', earn, { 'idempotency-key': 'k'.repeat(127) });
    expect(reply.status).toBe(400);
    expect(reply.json.error.details).toMatchObject([{ field: 'Idempotency-Key' }]);
    expect((await post('/transactions/earn', earn, { 'idempotency-key': 'k'.repeat(126) })).status).toBe(202);
  });
});

test('makes no object of a body that is a list', async () => {
  const { transaction_id: id } = (await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 5 }))
    .json;
  const reply = await post(`/transactions/${id}/reverse`, []);
  expect(reply.status).toBe(400);
  expect((await get(`/transactions/${id}`)).json.status).not.toBe('reversed');
});
