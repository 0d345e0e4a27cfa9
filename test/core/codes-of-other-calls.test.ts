import { beforeEach, describe, expect, test } from 'vitest';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said } from '../support/meddling.ts';
import { endsWithTest, openShop, type ShopBridge } from '../support/open-shop.ts';

// A refusal has a code of the specification that the call it answers never gives: it was meant for another call.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const refusal = (status: number, code: string): Outcome =>
  said(status, { error: { code, message: 'm', retryable: false, request_id: `req_of_${code}` } });
const perform = (write: NonEarnWrite, waitMs = 0) => shop.passUntil(shop.core.perform(write, { waitMs }));
/** The requests get these answers, in turn, and never arrive. */
function answersInTurn(path: string | RegExp, answers: readonly Outcome[]): { readonly count: number } {
  const left = [...answers];
  const next = () => left.shift() ?? expect.fail();
  return answerInstead(shop, callOf('POST', path), next, { times: answers.length, isLost: true });
}

describe('a commit', () => {
  let commit: NonEarnWrite;
  beforeEach(async () => {
    const reserve = shop.redemption('C#1', {}, { intent: 'reserve', path: '/redemptions/reserve' });
    await perform({ ...reserve, body: { ...reserve.body, external_ref: 'C', points: 40 } });
    const path = `/redemptions/${shop.operation('C#1', 'reserve').serviceTransactionId}/commit`;
    commit = shop.redemption('A', {}, { intent: 'commit', path, body: { external_ref: 'A' }, identifier: null });
  });

  test.each([
    [410, 'OTP_INVALID'],
    [404, 'CUSTOMER_NOT_FOUND'],
    [409, 'COUPON_ALREADY_REDEEMED'],
    [409, 'ALREADY_ENROLLED'],
  ])('that never arrived is not ended by %i %s: it is asked for once more', async (...told) => {
    const lost = answersInTurn(/commit$/, [refusal(...told)]);
    expect(await perform(commit)).toMatchObject({ kind: 'done', answer: { points: 40 } });
    expect(lost.count).toBe(1);
    expect(await shop.points()).toBe(205.5);
  });

  test('is refused where two answers say so: the service is a newer one', async () => {
    const lost = answersInTurn(/commit$/, [refusal(410, 'OTP_INVALID'), refusal(410, 'OTP_INVALID')]);
    expect(await perform(commit)).toMatchObject({
      kind: 'refused',
      refusal: { httpStatus: 410, error: { code: 'OTP_INVALID' } },
    });
    expect(lost.count).toBe(2);
  });

  test('is not known where the second answer is meant for yet another call, and found out by itself', async () => {
    const lost = answersInTurn(/commit$/, [refusal(410, 'OTP_INVALID'), refusal(404, 'CUSTOMER_NOT_FOUND')]);
    expect(await perform(commit, 20_000)).toMatchObject({ kind: 'done' });
    expect(lost.count).toBe(2);
  });

  test('is not known where the second gets no answer: the first may have arrived', async () => {
    answersInTurn(/commit$/, [refusal(410, 'OTP_INVALID'), refusal(401, 'UNAUTHENTICATED')]);
    expect(await perform(commit)).toMatchObject({ kind: 'unknown' });
  });

  test('with a code that nobody knows is refused at once', async () => {
    const lost = answersInTurn(/commit$/, [refusal(422, 'MOON_PHASE')]);
    expect(await perform(commit)).toMatchObject({ kind: 'refused', refusal: { error: { code: 'MOON_PHASE' } } });
    expect(lost.count).toBe(1);
  });
});

test('the void of a redemption of ours is not ended by the refusal of an unknown customer', async () => {
  await perform(shop.redemption('A', { points: 40 }));
  const request = { origin: 'till', operationId: shop.newId(), reversalRef: 'V', reason: null, idempotencyKey: null };
  const asked = await shop.core.reverse(shop.operation('A', 'redeem').rowId, { ...request, origin: 'till' });
  answersInTurn(/reverse$/, [refusal(404, 'CUSTOMER_NOT_FOUND')]);
  expect(await perform(asked.kind === 'immediate' ? asked.write : expect.fail())).toMatchObject({ kind: 'done' });
  await shop.pass(5_000);
  expect(await shop.points()).toBe(245.5);
});

describe('what no books show and a newer service refuses with it', () => {
  const identifier = { loyalty_id: 'LC-1001' };
  const body = { identifier, external_ref: 'C', points: 40 };
  let bridge: ShopBridge;
  beforeEach(async () => {
    bridge = endsWithTest(await serveCore(shop.core));
  });

  /** Each answer to a write takes so long that its program hears two of them, and not four. */
  function refusesSlowly(path: RegExp): { readonly count: number } {
    const refused = answerInstead(shop, callOf('POST', path), () => refusal(409, 'ALREADY_REVERSED'), { isLost: true });
    const { meddle } = shop;
    shop.meddle = async (call, carry) => {
      const own = await meddle(call, carry);
      await new Promise<void>((resolve) => shop.clock.setTimer(resolve, 2_200));
      return own;
    };
    return refused;
  }
  const post = (path: string, sent?: object) => shop.passUntil(bridge.call('POST', `/v1/redemptions${path}`, sent));
  const told = { status: 409, json: { error: { code: 'ALREADY_REVERSED' } } };

  test('is a reserve: it is sent twice, and its program hears of it', async () => {
    const refused = refusesSlowly(/reserve$/);
    expect(await post('/reserve', body)).toMatchObject(told);
    expect(refused.count).toBe(2);
  });

  test('is a release: it is sent twice, and its program hears of it', async () => {
    const { json } = await post('/reserve', body);
    const refused = refusesSlowly(/release$/);
    expect(await post(`/${json.reservation_id}/release`)).toMatchObject(told);
    expect(refused.count).toBe(2);
  });
});

describe('a sale', () => {
  test('that never arrived is not shown as refused with it', async () => {
    const lost = answersInTurn('/transactions/earn', [refusal(422, 'OTP_INVALID')]);
    await shop.saved('A');
    await shop.pass(20_000);
    expect(lost.count).toBe(1);
    expect(shop.operation('A').state).toBe('applied');
    expect(shop.core.history(shop.operation('A').rowId).map(({ to }) => to)).not.toContain('refused');
  });

  test('that a newer service refuses with it waits for a person, and keeps no other back', async () => {
    answerInstead(shop, callOf('POST', '/transactions/earn', '"A"'), () => refusal(409, 'ALREADY_REVERSED'), {
      isLost: true,
    });
    await shop.saved('A');
    await shop.saved('B');
    await shop.pass(20_000);
    expect([shop.operation('A').state, shop.operation('B').state]).toEqual(['refused', 'applied']);
  });
});

test('a look at the books that is answered with it tells nothing of a redemption that was done', async () => {
  const told = refusal(422, 'INSUFFICIENT_BALANCE');
  answerInstead(shop, callOf('POST', '/transactions/redeem'), () => told, { times: 1 });
  answerInstead(shop, callOf('GET', '/transactions'), () => refusal(404, 'CUSTOMER_NOT_FOUND'), { times: 1 });
  expect(await perform(shop.redemption('A', { points: 40 }))).toMatchObject({ kind: 'done' });
});
