import { beforeEach, describe, expect, test } from 'vitest';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, swapOnce } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// A refusal names nothing of what it refuses: it may be the answer to another call.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const redeemOf = (ref: string) => callOf('POST', '/transactions/redeem', `"${ref}"`);
const redeem = (ref: string, value: object) =>
  shop.passUntil(shop.core.perform(shop.redemption(ref, value), { waitMs: 20_000 }));

test('a redemption is not told as refused with the refusal of another one', async () => {
  const swapped = swapOnce(shop, redeemOf('A'), redeemOf('B'));
  const [a, b] = await Promise.all([redeem('A', { points: 40 }), redeem('B', { points: 9_000 })]);
  expect(swapped.isDone).toBe(true);
  expect(a).toMatchObject({ kind: 'done', answer: { external_ref: 'A', points: 40 } });
  expect(b).toMatchObject({ kind: 'refused', refusal: { error: { code: 'INSUFFICIENT_BALANCE' } } });
});

test('an earn is not told as refused with the refusal of another call', async () => {
  const told = answerInstead(
    shop,
    callOf('POST', '/transactions/earn', '"A"'),
    () => said(422, { error: { code: 'CARD_NOT_ELIGIBLE', message: 'm', retryable: false, request_id: 'req_b' } }),
    { times: 1 },
  );
  await shop.saved('A');
  await shop.pass(20_000);
  expect(told.count).toBe(1);
  expect(shop.operation('A').state).toBe('applied');
  expect(shop.core.history(shop.operation('A').rowId).map(({ to }) => to)).not.toContain('refused');
});

test('a commit is not told as refused with the conflict of another one', async () => {
  const reserve = shop.redemption('C#1', {}, { intent: 'reserve', path: '/redemptions/reserve' });
  const body = { ...reserve.body, external_ref: 'C', points: 40 };
  await shop.passUntil(shop.core.perform({ ...reserve, body }, { waitMs: 0 }));
  const path = `/redemptions/${shop.operation('C#1', 'reserve').serviceTransactionId}/commit`;
  const conflict = { code: 'DUPLICATE_TRANSACTION', message: 'm', retryable: false, request_id: 'req_b' };
  const told = answerInstead(shop, callOf('POST', path), () => said(409, { error: conflict }), { times: 1 });
  const commit = shop.redemption('O', {}, { intent: 'commit', path, body: { external_ref: 'O' }, identifier: null });
  expect(await shop.passUntil(shop.core.perform(commit, { waitMs: 20_000 }))).toMatchObject({ kind: 'done' });
  expect(told.count).toBe(1);
});

describe('the code of an enrollment', () => {
  const verifyCall = callOf('POST', '/customers/enroll/verify');
  const phone = '+96555100001';
  const customer = { customer_id: 'cus_of_somebody', name: 'Somebody', email: null };
  const known = (customer: object) => {
    const error = { code: 'ALREADY_ENROLLED', message: 'm', retryable: false, request_id: 'req_b' };
    return said(409, { error, customer });
  };
  const verify = async () => {
    const enroll = shop.redemption('E#1', {}, { intent: 'enroll', path: '/customers/enroll', identifier: null });
    const begin = { ...enroll, body: { external_ref: 'E', phone: '5510 0001' } };
    await shop.passUntil(shop.core.perform(begin, { waitMs: 0 }));
    const { serviceTransactionId: enrollment_id } = shop.operation('E#1', 'enroll');
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    const body = { enrollment_id, otp };
    const part = { intent: 'verify', path: '/customers/enroll/verify', identifier: null, body } as const;
    const write = shop.redemption(`${enrollment_id}#2`, {}, part);
    return shop.passUntil(shop.core.perform(write, { waitMs: 20_000 }));
  };

  test.each([false, true])('is not told as another customer’s, whether it arrived or not: %s', async (isLost) => {
    const other = { ...customer, phone: '+96555200002' };
    const told = answerInstead(shop, verifyCall, () => known(other), { times: 1, isLost });
    expect(await verify()).toMatchObject({ kind: 'done', answer: { status: 'enrolled' } });
    expect(told.count).toBe(1);
  });

  test('is told as known where the customer has that phone', async () => {
    answerInstead(shop, verifyCall, () => known({ ...customer, phone }), { isLost: true });
    expect(await verify()).toMatchObject({ kind: 'refused', refusal: { error: { code: 'ALREADY_ENROLLED' } } });
  });
});

describe('a refusal', () => {
  const lookUp = callOf('GET', '/transactions', 'external_ref=A');
  const poor = { kind: 'refused', refusal: { error: { code: 'INSUFFICIENT_BALANCE' } } };

  test('is told at once where the books show nothing', async () => {
    const before = shop.clock.now();
    expect(await redeem('A', { points: 9_000 })).toMatchObject(poor);
    expect(shop.clock.now()).toBe(before);
  });

  test('is told as soon as the books can be read', async () => {
    answerInstead(shop, lookUp, () => ({ kind: 'dropped' }), { times: 1 });
    expect(await redeem('A', { points: 9_000 })).toMatchObject(poor);
  });

  test('is told where the service refuses to tell of such a reference, too', async () => {
    const error = { code: 'VALIDATION_ERROR', message: 'm', retryable: false, request_id: 'r' };
    answerInstead(shop, lookUp, () => said(400, { error }));
    expect(await redeem('A', { points: 9_000 })).toMatchObject(poor);
  });

  test('is not known until then', async () => {
    answerInstead(shop, lookUp, () => ({ kind: 'dropped' }));
    expect(await redeem('A', { points: 9_000 })).toMatchObject({ kind: 'unknown' });
  });

  test('is not believed on a connection that gives each answer to the next call', async () => {
    let late: Outcome = said(422, {
      error: { code: 'CARD_NOT_ELIGIBLE', message: 'm', retryable: false, request_id: 'r' },
    });
    let left = 3;
    shop.meddle = async (call, carry) => {
      const own = await carry(call);
      if (left === 0) return own;
      left -= 1;
      const told = late;
      late = own;
      return told;
    };
    expect(await redeem('A', { points: 40 })).toMatchObject({ kind: 'done', answer: { points: 40 } });
    expect(await shop.points()).toBe(205.5);
  });
});

describe('the release of a hold', () => {
  const releaseCall = callOf('POST', /\/release$/);
  const refusal = (status: number, code: string) => () =>
    said(status, { error: { code, message: 'm', retryable: false, request_id: 'r' } });
  const perform = (write: NonEarnWrite) => shop.passUntil(shop.core.perform(write, { waitMs: 0 }));
  const reserve = () => {
    const identifier = { loyalty_id: 'LC-1001' };
    const body = { identifier, external_ref: 'C', points: 40 };
    const ref = `C#${shop.newId()}`;
    return shop.redemption(ref, {}, { intent: 'reserve', path: '/redemptions/reserve', body, identifier });
  };
  let release: NonEarnWrite;
  let holdId: string;
  beforeEach(async () => {
    const made = await perform(reserve());
    holdId = made.kind === 'done' ? (made.operation.serviceTransactionId ?? expect.fail()) : expect.fail();
    const path = `/redemptions/${holdId}/release`;
    release = shop.redemption('L', {}, { intent: 'release', path, body: null, identifier: null });
  });

  test.each([
    [409, 'VALIDATION_ERROR'],
    [404, 'VALIDATION_ERROR'],
    [409, 'COUPON_ALREADY_REDEEMED'],
    [404, 'CUSTOMER_NOT_FOUND'],
  ])('that never arrived is not ended by the %i %s of another call: it is asked for once more', async (...told) => {
    answerInstead(shop, releaseCall, refusal(...told), { times: 1, isLost: true });
    expect(await perform(release)).toMatchObject({ kind: 'done', answer: { state: 'released' } });
    // Nothing is held under that number any more.
    expect(await perform(reserve())).toMatchObject({ kind: 'done', answer: { duplicate: false } });
  });

  test('is not known, and goes on by itself, where it gets no answer the second time', async () => {
    let told = refusal(409, 'VALIDATION_ERROR')();
    const lost = answerInstead(
      shop,
      releaseCall,
      () => {
        const answer = told;
        told = { kind: 'dropped' };
        return answer;
      },
      { times: 2, isLost: true },
    );
    expect(await perform(release)).toMatchObject({ kind: 'unknown' });
    expect(lost.count).toBe(2);
    await shop.pass(30_000);
    expect(shop.operation('L', 'release').state).toBe('applied');
  });

  test('is refused where the service says so twice', async () => {
    await shop.call('POST', `/v1/redemptions/${holdId}/commit`, { external_ref: 'elsewhere' });
    expect(await perform(release)).toMatchObject({
      kind: 'refused',
      refusal: { httpStatus: 409, error: { details: ['reservation_committed'] } },
    });
  });
});
