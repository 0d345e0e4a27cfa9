import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// The service takes writes and limits look-ups: the same request once more tells whether a refusal was meant for it.

let shop: CounterShop;
let looks: { readonly count: number };
beforeEach(async () => {
  shop = await openShop();
  const error = { code: 'RATE_LIMITED', message: 'm', retryable: true, request_id: 'r' };
  looks = answerInstead(shop, callOf('GET', '/transactions'), () => said(429, { error }, { 'retry-after': '3600' }));
});

const redeem = (points: number, waitMs = 120_000) =>
  shop.passUntil(shop.core.perform(shop.redemption('A', { points }), { waitMs }));
const refuseFirst = (times: number, code = 'CARD_NOT_ELIGIBLE') =>
  answerInstead(
    shop,
    callOf('POST', '/transactions/redeem'),
    () => said(422, { error: { code, message: 'm', retryable: false, request_id: 'req_b' } }),
    { times },
  );

describe('a redemption whose refusal cannot be looked up', () => {
  test('is told as refused as soon as the service has refused it once more', async () => {
    const before = shop.clock.now();
    expect(await redeem(9_000)).toMatchObject({
      kind: 'refused',
      refusal: { error: { code: 'INSUFFICIENT_BALANCE' } },
    });
    expect(shop.clock.now()).toBe(before);
    expect(looks.count).toBeLessThanOrEqual(2);
  });

  test('is told as done where the refusal was meant for another one', async () => {
    const told = refuseFirst(1);
    expect(await redeem(40)).toMatchObject({ kind: 'done', answer: { points: 40 } });
    expect(told.count).toBe(1);
    expect(await shop.points()).toBe(205.5);
  });

  test('is not known where the service refuses it for two reasons', async () => {
    refuseFirst(1, 'CARD_NOT_ELIGIBLE');
    expect(await redeem(9_000, 0)).toMatchObject({ kind: 'unknown' });
  });
});
