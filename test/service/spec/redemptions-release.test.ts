import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { expectNothingRecorded, expectRefusal, openTill } from './till.ts';

const minuteMs = 60_000;
const rewardCard = { template_id: 'tpl_reward', balances: { points: 245.5 } };

describe.each(faces)('POST /redemptions/{reservation_id}/release, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  test('200 Reservation: what it held is free, and no balance has moved', async () => {
    const till = await openTill(face, [rewardCard]);
    const reserved = await till.reserve('CART-1', { points: 245.5 });
    const answer = await till.release(reserved.body.reservation_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...reserved.body, state: 'released' });
    expect((await till.balances()).points).toBe(245.5);
    expect((await till.redeem('R-1', { points: 245.5 })).status).toBe(200);
  });

  test('an amount that was reserved can be redeemed again after the release', async () => {
    const till = await openTill(face, [{ template_id: 'tpl_cashback', balances: { cashback_minor: 1250 } }]);
    await till.release(await till.reserved('CART-1', { amount_minor: 1250 }));
    expect((await till.redeem('R-1', { amount_minor: 1250 })).status).toBe(200);
  });

  test('(idempotent) | a repeat is a no-op, however late: it lets go of no newer reservation of the cart', async () => {
    const till = await openTill(face, [rewardCard]);
    const reserved = await till.reserve('CART-1', { points: 245.5 });
    const first = await till.release(reserved.body.reservation_id);
    const newer = await till.reserved('CART-1', { points: 245.5, ttl_minutes: 120 });
    for (const laterMs of [0, 60 * minuteMs]) {
      await face.advance(laterMs);
      const again = await till.release(reserved.body.reservation_id);
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, duplicate: true });
    }
    expect((await till.redeem('R-1', { points: 1 })).body.error.code).toBe('INSUFFICIENT_BALANCE');
    expect((await till.commit(newer, 'ORDER-1')).status).toBe(200);
  });

  test("404 | another partner's reservation is not there for anybody else", async () => {
    const till = await openTill(face, [rewardCard]);
    const reservationId = await till.reserved('CART-1', { points: 245.5 });
    const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
    const notFound = { status: 404, code: 'VALIDATION_ERROR', details: ['reservation_not_found'] };
    expectRefusal(await till.release(reservationId, { key }), notFound);
    expect((await till.redeem('R-1', { points: 1 })).body.error.code).toBe('INSUFFICIENT_BALANCE');
    const { key: rotated } = (await face.control('POST', '/keys', {})).body;
    expect((await till.release(reservationId, { key: rotated })).status).toBe(200);
  });

  test('gap: Reservations | release of an expired one: 200, no-op, state expired', async () => {
    const till = await openTill(face, [rewardCard]);
    const reserved = await till.reserve('CART-1', { points: 5 });
    await face.advance(15 * minuteMs);
    const first = await till.release(reserved.body.reservation_id);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ ...reserved.body, state: 'expired', duplicate: first.body.duplicate });
    expect((await till.release(reserved.body.reservation_id)).body.state).toBe('expired');
  });

  test('409 | already committed', async () => {
    const till = await openTill(face, [rewardCard]);
    const reservationId = await till.reserved('CART-1', { points: 5 });
    await till.commit(reservationId, 'ORDER-1');
    const expected = { status: 409, code: 'VALIDATION_ERROR', details: ['reservation_committed'] };
    await expectNothingRecorded(face, till, () => till.release(reservationId), expected);
    await face.advance(16 * minuteMs);
    await expectNothingRecorded(face, till, () => till.release(reservationId), expected);
  });

  test('404 | a reservation that nobody made; a cart’s reference is no id', async () => {
    const till = await openTill(face, [rewardCard]);
    await till.reserved('CART-1', { points: 5 });
    const expected = { status: 404, code: 'VALIDATION_ERROR', details: ['reservation_not_found'] };
    for (const id of ['res_nowhere', 'CART-1']) {
      await expectNothingRecorded(face, till, () => till.release(id), expected);
    }
  });

  test('a release is no transaction', async () => {
    const till = await openTill(face, [rewardCard]);
    await till.release(await till.reserved('CART-1', { points: 5 }));
    expect(await till.history()).toEqual([]);
  });

  test('a suspended card lets go of what it holds', async () => {
    const till = await openTill(face, [rewardCard]);
    const reservationId = await till.reserved('CART-1', { points: 5 });
    await face.control('POST', `/cards/${till.cardId()}/suspend`);
    expect((await till.release(reservationId)).body.state).toBe('released');
  });
});
