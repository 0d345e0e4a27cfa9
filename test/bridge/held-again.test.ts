import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, withFields } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
let reservationId: string;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  const held = await reserve();
  expect(held.status).toBe(201);
  reservationId = held.json.reservation_id;
});

const post = (path: string, body?: object) => bridge.call('POST', `/v1${path}`, body);
const reserve = () =>
  post('/redemptions/reserve', { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-1', points: 100 });
const commit = () => post(`/redemptions/${reservationId}/commit`, { external_ref: 'O-1' });
const releases = () =>
  shop.core.recentOperations({ limit: 20 }).flatMap(({ intent, state }) => (intent === 'release' ? [state] : []));

/** The service does not get it, neither from the program nor in the first tries after it. */
async function loseRelease(): Promise<void> {
  const path = `/redemptions/${reservationId}/release`;
  await shop.fault(path, { type: 'drop_request' });
  expect(await post(path)).toMatchObject({ status: 504, json: { error: { details: ['outcome_unknown'] } } });
  await shop.pass(30_000);
  expect(releases()[0]).toBe('unknown');
  await shop.mend();
}

describe('a cart whose release was lost, and that is held again', () => {
  test('is not released any more: its order can be paid', async () => {
    await loseRelease();
    expect(await reserve()).toMatchObject({ status: 200, json: { reservation_id: reservationId, state: 'reserved' } });
    expect(releases()).toEqual(['cancelled']);
    await shop.pass(10 * 60_000, 1_000);
    expect(await commit()).toMatchObject({ status: 200, json: { status: 'success' } });
  });

  test('is not released after a restart either', async () => {
    await loseRelease();
    expect(await reserve()).toMatchObject({ status: 200 });
    shop.crash();
    shop.start();
    await shop.pass(10 * 60_000, 1_000);
    expect(await shop.call('POST', `/v1/redemptions/${reservationId}/commit`, { external_ref: 'O-1' })).toMatchObject({
      status: 'success',
    });
  });

  test('is released when its program asks for that after it', async () => {
    await loseRelease();
    await reserve();
    await loseRelease();
    expect(releases()).toEqual(['unknown', 'cancelled']);
    await shop.pass(10 * 60_000, 1_000);
    expect(releases()).toEqual(['applied', 'cancelled']);
    expect((await commit()).status).toBe(409);
  });

  test('and is told as released, by a service that repeats its first answer, is released in the end', async () => {
    await loseRelease();
    answerInstead(shop, callOf('POST', '/redemptions/reserve'), (own) => withFields(own, { state: 'released' }));
    await reserve();
    await shop.pass(10 * 60_000, 1_000);
    expect(releases()).toEqual(['applied']);
  });
});

test('a cart whose release was lost does not end the release of another one', async () => {
  await loseRelease();
  const other = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-2', points: 10 };
  expect(await post('/redemptions/reserve', other)).toMatchObject({ status: 201 });
  expect(releases()).toEqual(['unknown']);
});
