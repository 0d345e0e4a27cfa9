import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said } from '../support/meddling.ts';
import { openShop } from '../support/open-shop.ts';

// Something on the way, or the service's front, tells a Date that is minutes off; its books have the right time.

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const minutes = (count: number) => count * 60_000;
const redeemCall = callOf('POST', '/transactions/redeem');
const redeem = (write: ReturnType<CounterShop['redemption']>, waitMs: number) =>
  shop.passUntil(shop.core.perform(write, { waitMs }));

/** All answers have a Date that is so far off. */
function tellDate(offByMs: number): void {
  const before = shop.meddle;
  shop.meddle = async (call, carry) => {
    const outcome = await before(call, carry);
    if (outcome.kind !== 'response') return outcome;
    const date = new Date(shop.clock.now() + offByMs).toUTCString();
    return { ...outcome, response: { ...outcome.response, headers: { ...outcome.response.headers, date } } };
  };
}

describe.each([minutes(10), -minutes(10), minutes(50)])('with a Date that is %i ms off', (offByMs) => {
  beforeEach(async () => {
    tellDate(offByMs);
    await shop.pass(120_000, 1_000);
  });

  test('an own redemption whose answer was lost is recognised in the books', async () => {
    await shop.fault('/transactions/redeem', { type: 'drop_response' }, 1);
    const outcome = await redeem(shop.redemption('R-1', { points: 40 }), 60_000);
    expect(outcome).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    expect(await shop.points()).toBe(205.5);
  });

  test('an own redemption that was recorded though the answer was 429 is recognised, also minutes later', async () => {
    answerInstead(shop, redeemCall, () => tooMany, { times: 1 });
    const write = shop.redemption('R-1', { points: 40 });
    await redeem(write, 0);
    await shop.pass(minutes(7), 5_000);
    expect(await redeem(write, 20_000)).toMatchObject({ kind: 'done', operation: { state: 'applied' } });
    expect(await shop.held('R-1')).toHaveLength(1);
  });

  test('a redemption of yesterday under the same number is another one', async () => {
    await shop.call('POST', '/v1/transactions/redeem', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'R-1',
      points: 40,
    });
    await shop.pass(minutes(90), 60_000);
    expect(await redeem(shop.redemption('R-1', { points: 40 }), 20_000)).toMatchObject({
      kind: 'refused',
      refusal: { error: { details: ['occurred_at'] } },
    });
  });
});

const error = { code: 'RATE_LIMITED', message: 'm', retryable: true, request_id: 'r' };
const tooMany = said(429, { error }, { 'retry-after': '1' });
