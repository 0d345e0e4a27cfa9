import { beforeEach, describe, expect, test } from 'vitest';
import type { NewEarn } from '../../app/operations/intake/save-outcome.ts';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Another till of the shop has the same key, and prints the same receipt numbers.
const waits = { waitMs: 120_000 };
const minuteMs = 60_000;

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
  await shop.call('POST', '/_sandbox/customers', {
    cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B', balances: { points: 300 } }],
  });
});

const theirs = { loyalty_id: 'LC-1001' };
const ours = { loyalty_id: 'LC-B' };
const otherTill = (path: string, body: object) => shop.call('POST', `/v1${path}`, body);
const only = (ref: string) => {
  const [first, second] = shop.core.operationsByReference(ref);
  if (first === undefined || second !== undefined) throw new Error(`Not one of ${ref}`);
  return first;
};
const ask = (write: NonEarnWrite, options = waits) => shop.passUntil(shop.core.perform(write, options));
const redeem = (ref: string, value: object, identifier: object = ours) =>
  shop.redemption(ref, value, { body: { identifier, external_ref: ref, ...value }, identifier });
const conflict = (...details: readonly string[]) => ({
  kind: 'refused',
  refusal: { httpStatus: 409, error: { code: 'DUPLICATE_TRANSACTION', details } },
});

/** A reservation is a row of its own each time, under the cart's reference with its operation's id behind it. */
function reservationOf(cart: string): NonEarnWrite {
  const operationId = shop.newId();
  return shop.redemption(`${cart}#${operationId}`, {}, { operationId });
}

/** What the books show under a reference, in the place of what is there. */
function inBooks(ref: string, held: () => Promise<readonly object[]>, otherwise: CounterShop['meddle']) {
  const isLookUp = callOf('GET', '/transactions', `external_ref=${ref}`);
  const meddle: CounterShop['meddle'] = async (call, carry) =>
    isLookUp(call) ? said(200, { data: await held() }) : otherwise(call, carry);
  return meddle;
}

describe('a redemption under a number that another till has used', () => {
  test.each([
    ['customer', { points: 40 }, { points: 40 }, ['identifier']],
    ['value', { points: 41 }, { points: 40 }, ['points']],
    ['reward instead of points', { reward: true, reward_id: 'rwd_cake' }, { points: 40 }, ['points']],
  ])('for another %s is refused, and nothing is booked or shown as done', async (_, value, held, details) => {
    await otherTill('/transactions/redeem', { identifier: theirs, external_ref: '0001', ...held });
    expect(await ask(redeem('0001', value))).toMatchObject(conflict(...details));
    expect(only('0001')).toMatchObject({ state: 'cancelled', serviceTransactionId: null, newBalances: null });
    expect(await shop.points('LC-B')).toBe(300);
    expect(await shop.points()).toBe(205.5);
    // Asked for again, it is the same.
    expect(await ask(redeem('0001', value))).toMatchObject(conflict(...details));
  });

  test('for another customer is refused too when its own request was lost on the way', async () => {
    await otherTill('/transactions/redeem', { identifier: theirs, external_ref: '0001', points: 40 });
    await shop.fault('/transactions/redeem', { type: 'drop_request' }, 1);
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject(conflict('identifier'));
    expect(await shop.points('LC-B')).toBe(300);
  });

  test('of the same customer and value, a while ago, is another one', async () => {
    await otherTill('/transactions/redeem', { identifier: ours, external_ref: '0001', points: 40 });
    await shop.pass(6 * minuteMs, 5_000);
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject(conflict('occurred_at'));
  });

  test('of the same customer and value, just now, is its own: a proxy may have sent it twice', async () => {
    await otherTill('/transactions/redeem', { identifier: ours, external_ref: '0001', points: 40 });
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject({ kind: 'done', answer: { duplicate: true } });
    expect(await shop.points('LC-B')).toBe(260);
  });

  test('of the same customer and value, given after this till’s own was refused, is another one', async () => {
    await shop.fault('/transactions/redeem', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject({ kind: 'refused' });
    await shop.pass(60 * minuteMs, minuteMs);
    await otherTill('/transactions/redeem', { identifier: ours, external_ref: '0001', points: 40 });
    await shop.pass(24 * 60 * minuteMs, 10 * minuteMs);
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject(conflict('occurred_at'));
    expect(await shop.points('LC-B')).toBe(260);
  });

  test('is its own though the answer was lost, and the clock of the till is wrong', async () => {
    shop.setTillClock(20 * minuteMs);
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' }, 1);
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject({ kind: 'done' });
    expect(await shop.points('LC-B')).toBe(260);
  });

  test('is its own though somebody set the clock ahead before it and back after it', async () => {
    // Nothing was heard of the service's time between the two.
    shop.setTillClock(24 * 60 * minuteMs);
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    answerInstead(shop, callOf('GET', '/transactions', '0001'), () => said(200, { data: [] }), { times: 1 });
    expect(await ask(redeem('0001', { points: 40 }), { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
    shop.setTillClock(-24 * 60 * minuteMs);
    await shop.pass(2 * minuteMs);
    expect(only('0001').state).toBe('applied');
    expect(await shop.points('LC-B')).toBe(260);
  });

  test('is not known while its customer cannot be asked for, and found out later', async () => {
    await otherTill('/transactions/redeem', { identifier: theirs, external_ref: '0001', points: 40 });
    await shop.fault('/customers/identify', { type: 'error', status: 503, code: 'INTERNAL' });
    expect(await ask(redeem('0001', { points: 40 }), { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
    await shop.mend();
    await shop.pass(2 * minuteMs);
    expect(only('0001').state).toBe('cancelled');
    expect(await shop.points('LC-B')).toBe(300);
  });

  test('is not taken for another’s by one wrong look at the customer', async () => {
    await otherTill('/transactions/redeem', { identifier: ours, external_ref: '0001', points: 40 });
    answerInstead(shop, callOf('POST', '/customers/identify'), (own) => withFields(own, { customer_id: 'cus_other' }), {
      times: 1,
    });
    expect(await ask(redeem('0001', { points: 40 }))).toMatchObject({ kind: 'done' });
  });
});

describe('a commit', () => {
  const hold = async (cart: string, points: number, identifier: object = ours): Promise<string> => {
    const outcome = await ask({
      ...shop.redemption(`${cart}#1`, {}),
      intent: 'reserve',
      path: '/redemptions/reserve',
      body: { identifier, external_ref: cart, points },
      identifier,
    });
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    return only(`${cart}#1`).serviceTransactionId ?? expect.fail();
  };
  const commit = (reservationId: string, order: string) => ({
    ...shop.redemption(order, {}),
    intent: 'commit' as const,
    path: `/redemptions/${reservationId}/commit`,
    body: { external_ref: order },
    identifier: null,
  });

  test.each([
    ['value', { points: 41 }, ['points']],
    ['customer', { customer_id: 'cus_other' }, ['identifier']],
    ['card', { card_id: 'card_other' }, ['card_id']],
  ])(
    'answered with a replay of another %s than was held is refused where the books show it so',
    async (_, part, details) => {
      const reservationId = await hold('C-1', 40);
      answerInstead(shop, callOf('POST', /commit$/), (own) => withFields(own, { ...part, duplicate: true }));
      const held = async () => (await shop.held('O-1')).map((record) => ({ ...record, ...part }));
      shop.meddle = inBooks('O-1', held, shop.meddle);
      expect(await ask(commit(reservationId, 'O-1'))).toMatchObject(conflict(...details));
    },
  );

  test('answered once with a replay of another value than was held is done', async () => {
    const reservationId = await hold('C-1', 40);
    const replay = { points: 41, duplicate: true };
    answerInstead(shop, callOf('POST', /commit$/), (own) => withFields(own, replay), { times: 1 });
    expect(await ask(commit(reservationId, 'O-1'))).toMatchObject({ kind: 'done', answer: { points: 40 } });
  });

  test('whose first answer is not of what was held is not known, and found in the books', async () => {
    const reservationId = await hold('C-1', 40);
    const told = answerInstead(shop, callOf('POST', /commit$/), (own) => withFields(own, { points: 41 }));
    expect(await ask(commit(reservationId, 'O-1'))).toMatchObject({ kind: 'done', answer: { points: 40 } });
    // The books name no reservation: the same request once more tells whether the record is this one's.
    expect(told.count).toBe(2);
  });
});

describe('a reservation for a cart that another till has used', () => {
  const reserve = (cart: string, value: object, identifier: object = ours): NonEarnWrite => ({
    ...reservationOf(cart),
    intent: 'reserve',
    path: '/redemptions/reserve',
    body: { identifier, external_ref: cart, ...value },
    identifier,
  });

  test.each([
    ['value', { points: 40 }, theirs, { points: 41 }, theirs, ['points']],
    ['customer', { points: 40 }, theirs, { points: 40 }, ours, ['identifier']],
  ])('with another %s is refused', async (_, held, holder, value, asker, details) => {
    await otherTill('/redemptions/reserve', { identifier: holder, external_ref: 'C-1', ...held });
    const outcome = await ask(reserve('C-1', value, asker));
    expect(outcome).toMatchObject(conflict(...details));
    expect(outcome).toMatchObject({ refusal: { error: { message: expect.stringContaining('under C-1.') } } });
  });

  test('with the same value and customer is the same', async () => {
    await otherTill('/redemptions/reserve', { identifier: ours, external_ref: 'C-1', points: 40 });
    expect(await ask(reserve('C-1', { points: 40 }))).toMatchObject({ kind: 'done', answer: { duplicate: true } });
  });
});

describe('a hold', () => {
  const reserve = (cart: string, value: object): NonEarnWrite => ({
    ...reservationOf(cart),
    intent: 'reserve',
    path: '/redemptions/reserve',
    body: { identifier: ours, external_ref: cart, ...value },
    identifier: ours,
  });

  test('that is answered with the refusal of another one is told as held', async () => {
    const error = { code: 'INSUFFICIENT_BALANCE', message: 'm', retryable: false, request_id: 'r' };
    answerInstead(shop, callOf('POST', '/redemptions/reserve', 'C-2'), () => said(422, { error }), { times: 1 });
    expect(await ask(reserve('C-2', { points: 30 }), { waitMs: 0 })).toMatchObject({ kind: 'done' });
  });

  test('that is answered with another one, and then not at all, is not known', async () => {
    const error = { code: 'RATE_LIMITED', message: 'm', retryable: true, request_id: 'r' };
    let isFirst = true;
    answerInstead(shop, callOf('POST', '/redemptions/reserve', 'C-2'), (own) => {
      if (!isFirst) return said(429, { error });
      isFirst = false;
      return withFields(own, { points: 40, duplicate: true });
    });
    expect(await ask(reserve('C-2', { points: 30 }), { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    ['value', { points: 40, duplicate: true }],
    ['card', { card_id: 'card_of_somebody', duplicate: true }],
    ['reservation of this till', { duplicate: true }],
  ])('that is answered once with another %s is told as held', async (_, part) => {
    const earlier = await ask(reserve('C-1', { points: 30 }));
    const theirs = earlier.kind === 'done' ? earlier.answer : expect.fail();
    const told = answerInstead(
      shop,
      callOf('POST', '/redemptions/reserve', 'C-2'),
      () => said(200, { ...(theirs as object), ...part }),
      { times: 1 },
    );
    const outcome = await ask(reserve('C-2', { points: 30 }), { waitMs: 0 });
    expect(told.count).toBe(1);
    expect(outcome).toMatchObject({ kind: 'done', answer: { points: 30, state: 'reserved' } });
    expect(outcome).not.toMatchObject({ answer: { reservation_id: Reflect.get(theirs as object, 'reservation_id') } });
  });
});

describe('an enrollment under a reference that another till has used', () => {
  async function enrolled(ref: string, phone: string): Promise<void> {
    const { enrollment_id } = await otherTill('/customers/enroll', { external_ref: ref, phone });
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    await otherTill('/customers/enroll/verify', { enrollment_id, otp });
  }
  const enroll = (ref: string, phone: string): NonEarnWrite => ({
    ...shop.redemption(`${ref}#${shop.newId()}`, {}),
    intent: 'enroll',
    path: '/customers/enroll',
    body: { external_ref: ref, phone },
    identifier: null,
  });

  test('is refused when it is for another phone', async () => {
    await enrolled('E-1', '+96555100001');
    await shop.call('POST', '/_sandbox/customers', { phone: '+96555200002', cards: [] });
    expect(await ask(enroll('E-1', '5520 0002'))).toMatchObject(conflict('phone'));
    // Nobody has that phone yet.
    expect(await ask(enroll('E-1', '5530 0003'))).toMatchObject(conflict('phone'));
  });

  test('is not told as done while it cannot be asked whose phone was enrolled', async () => {
    const { enrollment_id } = await otherTill('/customers/enroll', { external_ref: 'E-1', phone: '+96555100001' });
    expect(await ask(enroll('E-1', '+96555300003'))).toMatchObject({ kind: 'done' });
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    answerInstead(shop, callOf('POST', '/customers/identify', 'customer_id'), () => ({ kind: 'dropped' }), {
      isLost: true,
    });
    const verify: NonEarnWrite = {
      ...shop.redemption(`${enrollment_id}#${shop.newId()}`, {}),
      intent: 'verify',
      path: '/customers/enroll/verify',
      body: { enrollment_id, otp },
      identifier: null,
    };
    expect(await ask(verify, { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
  });

  test('is the same when the phone is the same, however it is written', async () => {
    await enrolled('E-1', '+96555100001');
    expect(await ask(enroll('E-1', '00965 5510 0001'))).toMatchObject({ kind: 'done', answer: { duplicate: true } });
  });
});

describe('an earn under a number that another till has used', () => {
  async function earn(ref: string, request: Partial<NewEarn['request']> = {}) {
    const outcome = await shop.core.saveEarn({
      origin: 'bridge',
      operationId: shop.newId(),
      request: { identifier: ours, external_ref: ref, points: 10, ...request },
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
    });
    expect(outcome.kind).toBe('saved');
    await shop.pass(10_000);
    return only(ref);
  }

  test('for the same customer and value, yesterday, is another sale', async () => {
    await otherTill('/transactions/earn', { identifier: ours, external_ref: '0001', points: 10 });
    await shop.pass(20 * 3_600_000, 600_000);
    expect(await earn('0001')).toMatchObject({
      state: 'refused',
      error: { code: 'DUPLICATE_TRANSACTION', details: ['occurred_at'] },
    });
    expect(await shop.points('LC-B')).toBe(310);
  });

  test.each([4, 6])('with a time of its own that is %i minutes away is told by that', async (minutes) => {
    const occurred_at = new Date(shop.clock.now() - 30 * minuteMs).toISOString();
    await otherTill('/transactions/earn', { identifier: ours, external_ref: '0001', points: 10, occurred_at });
    const later = new Date(Date.parse(occurred_at) + minutes * minuteMs).toISOString();
    expect((await earn('0001', { occurred_at: later })).state).toBe(minutes < 5 ? 'applied' : 'refused');
  });

  test('is its own when the till’s clock was wrong and was corrected before it was sent', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    shop.setTillClock(40 * minuteMs);
    await earn('0001');
    await shop.mend();
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 2);
    await shop.pass(5 * minuteMs, 1_000);
    expect(only('0001').state).toBe('applied');
    expect(await shop.points('LC-B')).toBe(310);
  });

  test('that was sent before is its own when the service has noted the time of a later arrival', async () => {
    const laterArrival = new Date(shop.clock.now() + 600_000).toISOString();
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
    answerInstead(shop, callOf('GET', '/transactions', '0001'), (own) => {
      if (own?.kind !== 'response') return expect.fail();
      const { data } = JSON.parse(own.response.body);
      return said(200, { data: data.map((held: object) => ({ ...held, occurred_at: laterArrival })) });
    });
    await earn('0001');
    await shop.pass(30_000);
    expect(only('0001').state).toBe('applied');
  });

  test('for a customer whom nobody knows is another sale when its own request was lost some minutes before', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_request' });
    await earn('0001', { identifier: { loyalty_id: 'LC-9999' } });
    await shop.pass(6 * minuteMs, 1_000);
    await shop.mend();
    await otherTill('/transactions/earn', { identifier: theirs, external_ref: '0001', points: 10 });
    await shop.pass(2 * minuteMs, 1_000);
    expect(only('0001')).toMatchObject({ state: 'refused', error: { details: ['identifier'] } });
  });

  test('for another customer is another sale also when its own request was lost on the way', async () => {
    await otherTill('/transactions/earn', { identifier: theirs, external_ref: '0001', points: 10 });
    await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    await earn('0001');
    await shop.pass(30_000);
    expect(only('0001')).toMatchObject({ state: 'refused', error: { details: ['identifier'] } });
    expect(await shop.points('LC-B')).toBe(300);
  });
});
