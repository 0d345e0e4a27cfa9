import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { operationView } from '../../app/till/operation-view.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { expectExactFields, expectTransaction } from '../support/exact-fields.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// A POS program that knows the specification and nothing else, with the bridge's address and key.
let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const post = (path: string, body?: object, headers?: Record<string, string>) =>
  bridge.call('POST', `/v1${path}`, body, headers);
const get = (path: string) => bridge.call('GET', `/v1${path}`);
const identifier = { loyalty_id: 'LC-1001' };
const offline = async () => {
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(20_000);
};

describe('a redemption', () => {
  const redeem = (ref: string, value: object) =>
    post('/transactions/redeem', { identifier, external_ref: ref, ...value });

  test("is answered as the service answers, under the agent's own id", async () => {
    const reply = await redeem('R-1', { points: 40 });
    expect(reply.status).toBe(200);
    expectTransaction(reply.json, 'write');
    expect(reply.json).toMatchObject({
      status: 'success',
      duplicate: false,
      points: 40,
      new_balances: { points: 205.5 },
    });
    expect(reply.json.transaction_id).toMatch(/^txn_local_/);
    expect(reply.headers.get('x-service-transaction-id')).toMatch(/^txn_[0-9A-Z]/);
    const read = await get(`/transactions/${reply.json.transaction_id}`);
    expect(read.json).toMatchObject({ transaction_id: reply.json.transaction_id, intent: 'redeem', status: 'success' });
    const list = await get('/transactions?external_ref=R-1');
    expect(list.json.data).toHaveLength(1);
  });

  test.each([{ points: { before: 245.5, after: 205.5 } }, { balance: 205.5 }])(
    'whose new balances the service tells as %j hands them on as they are',
    async (newBalances) => {
      const told = (own: Outcome | null) => withFields(own, { new_balances: newBalances });
      answerInstead(shop, callOf('POST', '/transactions/redeem'), told);
      answerInstead(shop, callOf('GET', /^\/transactions\/txn_/), told);
      const reply = await redeem('R-1', { points: 40 });
      expect(reply).toMatchObject({ status: 200, json: { status: 'success' } });
      expect(reply.json.new_balances).toEqual(newBalances);
      expect((await get(`/transactions/${reply.json.transaction_id}`)).json.new_balances).toEqual(newBalances);
      const row = shop.core.operationByTransactionId(reply.json.transaction_id);
      expect(row === null ? null : operationView(row)).toMatchObject({ state: 'applied', new_balances: null });
      const earn = await post('/transactions/earn', { identifier, external_ref: 'S-1', points: 1 });
      await shop.pass(10_000);
      const read = await get(`/transactions/${earn.json.transaction_id}`);
      expect(read.json).toMatchObject({ status: 'success' });
      expect(read.json.new_balances).toEqual(newBalances);
    },
  );

  test('again is a duplicate, online and offline', async () => {
    const first = await redeem('R-1', { points: 40 });
    expect((await redeem('R-1', { points: 40 })).json).toEqual({ ...first.json, duplicate: true });
    await offline();
    expect((await redeem('R-1', { points: 40 })).json).toEqual({ ...first.json, duplicate: true });
    expect(await shop.points().catch(() => null)).toBeNull();
  });

  test('that the service worked on for a while is told as done when it comes again', async () => {
    const underWay = (own: Outcome | null) =>
      withFields(own, { status: 'processing', new_balances: null, completed_at: null });
    answerInstead(shop, callOf('POST', '/transactions/redeem'), underWay, { times: 1 });
    const first = (await redeem('R-1', { points: 40 })).json;
    expect(first).toMatchObject({ status: 'processing', new_balances: null, duplicate: false });
    expect((await redeem('R-1', { points: 40 })).json).toEqual({ ...first, duplicate: true });
    await shop.pass(10_000);
    const again = (await redeem('R-1', { points: 40 })).json;
    expectTransaction(again, 'write');
    const read = (await get(`/transactions/${first.transaction_id}`)).json;
    expect(again).toEqual({ ...first, ...read, duplicate: true });
    expect(again).toMatchObject({ status: 'success', new_balances: { points: 205.5 } });
  });

  test('of other values under the same reference is 409 with the fields that differ', async () => {
    await redeem('R-1', { points: 40 });
    const reply = await redeem('R-1', { points: 41 });
    expect(reply.status).toBe(409);
    expect(reply.json.error).toMatchObject({ code: 'DUPLICATE_TRANSACTION', details: ['points'] });
  });

  test("that the service refuses is answered with the service's own error", async () => {
    const reply = await redeem('R-1', { points: 9999 });
    expect(reply.status).toBe(422);
    expect(reply.json.error).toMatchObject({ code: 'INSUFFICIENT_BALANCE', retryable: false });
    const read = await get('/transactions?external_ref=R-1');
    expect(read.json.data).toMatchObject([{ status: 'failed', error: { code: 'INSUFFICIENT_BALANCE' } }]);
  });

  test('offline is 504 not_sent, and stays undone', async () => {
    await offline();
    const reply = await redeem('R-1', { points: 40 });
    expect(reply.status).toBe(504);
    expect(reply.json.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['not_sent'] });
    // As the page for POS programs says it: another payment is as good, and nothing hangs on the same request.
    expect(reply.json.error.message).toBe(
      'The loyalty service cannot be reached now; nothing was sent, try again later',
    );
    await shop.mend();
    await shop.pass(60_000);
    expect(await shop.held('R-1')).toEqual([]);
  });

  test('whose answer is lost is 504 outcome_unknown; its retry is the first outcome', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    const lost = await redeem('R-1', { points: 40 });
    expect(lost.status).toBe(504);
    expect(lost.json.error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['outcome_unknown'] });
    await shop.pass(5_000);
    expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([{ status: 'success' }]);
    expect((await redeem('R-1', { points: 40 })).json).toMatchObject({ status: 'success', points: 40 });
    expect(await shop.points()).toBe(205.5);
  });

  test('whose full payment was chosen at the screen says so to its retry and to a read, and is not to be sent again', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_request' }, 1);
    await redeem('R-1', { points: 40 });
    const { operationId } = shop.operation('R-1', 'redeem');
    await shop.core.decide(operationId, 'take_full_payment');
    await shop.pass(400_000, 1_000);
    expect(shop.operation('R-1', 'redeem').state).toBe('cancelled');
    const error = { code: 'DUPLICATE_TRANSACTION', retryable: false, details: ['paid_in_full'] };
    expect(await redeem('R-1', { points: 40 })).toMatchObject({ status: 409, json: { error } });
    expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([{ status: 'failed', error }]);
    expect(await shop.points()).toBe(245.5);
  });

  test('what the service says of its own accord is passed on: throttled, suspended', async () => {
    await shop.fault('/transactions/redeem', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 7 }, 1);
    expect((await redeem('R-1', { points: 1 })).status).toBe(429);
    await shop.pass(30_000);
    await shop.fault('/transactions/redeem', { type: 'error', status: 403, code: 'TENANT_SUSPENDED' }, 1);
    expect((await redeem('R-2', { points: 1 })).status).toBe(403);
  });

  test.each([
    [403, 'TENANT_SUSPENDED', 'Nothing was sent: the service has suspended the shop.'],
    [401, 'UNAUTHENTICATED', 'The loyalty service refused the API key of this agent: check api_key in its settings'],
  ])(
    'that is not sent because the service said %i before says why, and not that nobody was reached',
    async (status, code, why) => {
      await shop.fault('/*', { type: 'error', status, code });
      await redeem('R-1', { points: 1 });
      await shop.pass(20_000);
      const { message } = (await redeem('R-2', { points: 1 })).json.error;
      expect(message).toContain(why);
      expect(message).toContain('Nothing was sent');
      expect(message).not.toContain('cannot be reached');
    },
  );
});

describe('an enrollment', () => {
  const body = { external_ref: 'E-1', phone: '+96555512345', name: 'Noura' };

  test('runs as the specification says, with a wrong and then the right code, and again', async () => {
    const pending = await post('/customers/enroll', body);
    expect(pending.status).toBe(202);
    expectExactFields(pending.json, 'EnrollPending');
    const { enrollment_id } = pending.json;
    expect((await post('/customers/enroll', body)).json.enrollment_id).toBe(enrollment_id);
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    const wrong = await post('/customers/enroll/verify', { enrollment_id, otp: '0' });
    expect(wrong).toMatchObject({ status: 422, json: { error: { code: 'OTP_INVALID', details: ['otp_incorrect'] } } });
    const enrolled = await post('/customers/enroll/verify', { enrollment_id, otp });
    expect(enrolled.status).toBe(201);
    expectExactFields(enrolled.json, 'EnrollResult');
    expect((await post('/customers/enroll/verify', { enrollment_id, otp })).status).toBe(200);
    expect((await post('/customers/enroll', body)).status).toBe(200);
    const taken = await post('/customers/enroll', { ...body, external_ref: 'E-2' });
    expect(taken.status).toBe(409);
    expectExactFields(taken.json, 'AlreadyEnrolled');
  });

  test('for another phone under a reference that is taken is 409, while it is in flight and after', async () => {
    const pending = await post('/customers/enroll', body);
    const other = { ...body, phone: '+96555500002' };
    const conflict = { status: 409, json: { error: { code: 'DUPLICATE_TRANSACTION', details: ['phone'] } } };
    const refused = await post('/customers/enroll', other);
    expect(refused).toMatchObject(conflict);
    expect(refused.json.error.message).toContain('external_ref E-1 already');
    const { enrollment_id } = pending.json;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    await post('/customers/enroll/verify', { enrollment_id, otp });
    expect(await post('/customers/enroll', other)).toMatchObject(conflict);
    // A reference that begins alike is another one, and so is a number written in another way no other.
    expect((await post('/customers/enroll', { ...other, external_ref: 'E-1#2' })).status).toBe(202);
    expect((await post('/customers/enroll', { ...body, phone: '5551 2345' })).status).toBe(200);
  });

  test.each([{}, { branch_ref: 'other' }])('goes out with its branch, or with the till’s: %o', async (branch) => {
    await post('/customers/enroll', { ...body, ...branch });
    const [{ rowId } = { rowId: 0 }] = shop.core.recentOperations({ limit: 1 });
    const sent = JSON.parse(shop.core.sentRequest(rowId)?.body ?? '');
    expect(sent).toMatchObject({ branch_ref: shop.core.settings.branch_ref, ...branch });
  });

  test('that was refused leaves its reference free', async () => {
    expect((await post('/customers/enroll', { ...body, phone: '12' })).status).toBe(400);
    expect((await post('/customers/enroll', body)).status).toBe(202);
  });

  test('of another till under the same reference is found out by its code: 409, and nothing is shown as done', async () => {
    const theirs = await shop.call('POST', '/v1/customers/enroll', { external_ref: 'E-1', phone: '+96555500003' });
    const ours = await post('/customers/enroll', body);
    // The service's answer names nobody: that it is the other one cannot be known yet.
    expect(ours).toMatchObject({ status: 202, json: { enrollment_id: theirs.enrollment_id } });
    const { enrollment_id } = ours.json;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await post('/customers/enroll/verify', { enrollment_id, otp })).toMatchObject({
        status: 409,
        json: { error: { code: 'DUPLICATE_TRANSACTION', details: ['phone'] } },
      });
    }
    expect(shop.core.status().operations).toMatchObject({ unknown: 0, sending: 0, refused: 0 });
  });

  test('offline is refused at once', async () => {
    await offline();
    expect((await post('/customers/enroll', body)).json.error.details).toEqual(['not_sent']);
  });
});

describe('a reservation', () => {
  const reserve = (ref: string) => post('/redemptions/reserve', { identifier, external_ref: ref, points: 100 });

  test('is held, paid, replayed; another is released, and its cart may be reserved again', async () => {
    const cart = await reserve('C-1');
    expect(cart.status).toBe(201);
    expectExactFields(cart.json, 'Reservation');
    expect((await reserve('C-1')).status).toBe(200);
    const path = `/redemptions/${cart.json.reservation_id}/commit`;
    const paid = await post(path, { external_ref: 'O-1' });
    expect(paid.status).toBe(200);
    expectTransaction(paid.json, 'write');
    expect(paid.json).toMatchObject({ intent: 'redeem', external_ref: 'O-1', duplicate: false });
    expect((await post(path, { external_ref: 'O-1' })).json).toEqual({ ...paid.json, duplicate: true });
    const other = await reserve('C-2');
    expect((await post(`/redemptions/${other.json.reservation_id}/release`)).json.state).toBe('released');
    expect((await post(`/redemptions/${other.json.reservation_id}/release`)).status).toBe(200);
    const again = await reserve('C-2');
    expect(again.status).toBe(201);
    expect(again.json.reservation_id).not.toBe(other.json.reservation_id);
  });
});

describe('a reservation that is answered with the one of an earlier cart', () => {
  test('is not told as done, and asked for again it is its own', async () => {
    const reserve = (ref: string) => post('/redemptions/reserve', { identifier, external_ref: ref, points: 10 });
    let isSwapped = false;
    const answers: Outcome[] = [];
    shop.meddle = async (call, carry) => {
      const outcome = await carry(call);
      if (!call.target.includes('/redemptions/reserve')) return outcome;
      answers.push(outcome);
      if (answers.length !== 2) return outcome;
      isSwapped = true;
      return answers[0] ?? outcome;
    };
    const first = await reserve('C-1');
    expect(await reserve('C-2')).toMatchObject({ status: 504, json: { error: { details: ['outcome_unknown'] } } });
    expect(isSwapped).toBe(true);
    const own = await reserve('C-2');
    expect(own.status).toBe(200);
    expect(own.json.reservation_id).not.toBe(first.json.reservation_id);
  });

  test.each([
    ['for longer', 0, 120],
    ['for as long, some minutes before', 3 * 60_000, 15],
  ])('is not told as done with another till’s that was asked %s', async (_, beforeMs, minutes) => {
    const request = { identifier, points: 10 };
    const theirs = { ...request, external_ref: 'C-B', ttl_minutes: minutes };
    const kept = await shop.call('POST', '/v1/redemptions/reserve', theirs);
    await shop.pass(beforeMs, 1_000);
    let isSwapped = false;
    shop.meddle = async (call, carry) => {
      const outcome = await carry(call);
      if (isSwapped || !call.target.includes('/redemptions/reserve') || outcome.kind !== 'response') return outcome;
      isSwapped = true;
      return { ...outcome, response: { ...outcome.response, body: JSON.stringify(kept) } };
    };
    const reserve = () => post('/redemptions/reserve', { ...request, external_ref: 'C-A', ttl_minutes: 15 });
    expect(await reserve()).toMatchObject({ status: 504, json: { error: { details: ['outcome_unknown'] } } });
    const own = await reserve();
    expect(own.status).toBe(200);
    expect(own.json.reservation_id).not.toBe(kept.reservation_id);
  });
});

describe('a reversal', () => {
  test('of an earn and of a redemption on one receipt, by reference', async () => {
    await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 10 });
    await shop.pass(5_000);
    await post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 50 });
    const earn = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
    const redemption = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' });
    for (const reply of [earn, redemption]) {
      expect(reply.status).toBe(202);
      expectExactFields(reply.json, 'ReversalAccepted');
    }
    expect(await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' })).toMatchObject({
      status: 200,
      json: { ...earn.json, duplicate: true },
    });
    await shop.pass(20_000);
    expect(await shop.points()).toBe(245.5);
    expect((await get(`/transactions/${earn.json.reverses_transaction_id}`)).json.status).toBe('reversed');
  });

  test("by the agent's id and by the service's", async () => {
    const one = await post('/transactions/redeem', { identifier, external_ref: 'R-1', points: 10 });
    const other = await post('/transactions/redeem', { identifier, external_ref: 'R-2', points: 10 });
    const serviceId = other.headers.get('x-service-transaction-id');
    expect((await post(`/transactions/${one.json.transaction_id}/reverse`)).status).toBe(202);
    expect((await post(`/transactions/${serviceId}/reverse`, {})).status).toBe(202);
    await shop.pass(20_000);
    expect(await shop.points()).toBe(245.5);
    expect((await post('/transactions/txn_local_00000000000040008000000000000099/reverse')).status).toBe(404);
  });

  test('of an earn that was never sent: both show reversed, and the service never hears of it', async () => {
    await offline();
    const earn = await post('/transactions/earn', { identifier, external_ref: 'R-1', points: 10 });
    const reversal = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
    expect(reversal).toMatchObject({ status: 202, json: { reverses_transaction_id: earn.json.transaction_id } });
    for (const id of [earn.json.transaction_id, reversal.json.transaction_id]) {
      expect((await get(`/transactions/${id}`)).json.status).toBe('reversed');
    }
    expect((await post('/transactions/reverse', { external_ref: 'R-1', intent: 'earn' })).json.duplicate).toBe(true);
    await shop.mend();
    await shop.pass(60_000);
    expect(await shop.held('R-1')).toEqual([]);
  });

  test('of a claimed reward, of a part, of nothing', async () => {
    await post('/transactions/redeem', { identifier, external_ref: 'R-1', reward: true, reward_id: 'rwd_cake' });
    const reward = await post('/transactions/reverse', { external_ref: 'R-1', intent: 'redeem' });
    expect(reward).toMatchObject({ status: 422, json: { error: { details: ['transaction_not_reversible'] } } });
    await post('/transactions/redeem', { identifier, external_ref: 'R-2', points: 10 });
    const part = await post('/transactions/reverse', { external_ref: 'R-2', intent: 'redeem', points: 5 });
    expect(part).toMatchObject({ status: 400, json: { error: { details: ['partial_reversal_unsupported'] } } });
    expect((await post('/transactions/reverse', { external_ref: 'nowhere', intent: 'earn' })).status).toBe(404);
  });

  test('of what another till made passes to the service, and pressed twice it is one', async () => {
    await shop.call('POST', '/v1/transactions/redeem', { identifier, external_ref: 'OTHER-1', points: 10 });
    const first = await post('/transactions/reverse', { external_ref: 'OTHER-1', intent: 'redeem' });
    expect(first.status).toBe(202);
    expect((await post('/transactions/reverse', { external_ref: 'OTHER-1', intent: 'redeem' })).status).toBe(200);
    await shop.pass(5_000);
    expect(await shop.points()).toBe(245.5);
  });
});
