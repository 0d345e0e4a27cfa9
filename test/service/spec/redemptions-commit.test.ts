import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { balances, expectNothingRecorded, expectRefusal, instantAfter, openTill, transaction } from './till.ts';

const minuteMs = 60_000;
const rewardCard = { template_id: 'tpl_reward', balances: { points: 245.5 } };
const cashbackCard = { template_id: 'tpl_cashback', balances: { cashback_minor: 1250 } };
const duplicate = { status: 409, code: 'DUPLICATE_TRANSACTION' };

describe.each(faces)('POST /redemptions/{reservation_id}/commit, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  describe('200 Transaction: "the paid order\'s id, becoming the redeem transaction\'s external_ref"', () => {
    test.each([
      {
        row: 'points',
        card: rewardCard,
        holds: { points: 45.25 },
        record: { points: 45.25 },
        after: balances({ points: 200.25, rewards_available: 2 }),
      },
      {
        row: 'amount_minor',
        card: cashbackCard,
        holds: { amount_minor: 1250 },
        record: { amount_minor: 1250, currency: 'KWD' },
        after: balances({ cashback_minor: 0, currency: 'KWD' }),
      },
    ])('$row', async ({ card, holds, record, after }) => {
      const till = await openTill(face, [card]);
      const reservationId = await till.reserved('CART-1', holds);
      await face.advance(minuteMs);
      const answer = await till.commit(reservationId, 'ORDER-1');
      const made = transaction({
        intent: 'redeem',
        external_ref: 'ORDER-1',
        customer_id: till.customer.customer_id,
        card_id: till.cardId(),
        ...record,
        new_balances: after,
        occurred_at: instantAfter(minuteMs),
        completed_at: instantAfter(minuteMs),
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...made, duplicate: false });
      expect(await till.balances()).toEqual(after);
      expect(await till.byReference('ORDER-1')).toEqual([made]);
      expect(await till.byReference('CART-1')).toEqual([]);
    });

    test("404 | another partner's reservation is not there for anybody else", async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 45.25 });
      const { key } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
      const act = () => till.commit(reservationId, 'ORDER-1', { key });
      const notFound = { status: 404, code: 'VALIDATION_ERROR', details: ['reservation_not_found'] };
      await expectNothingRecorded(face, till, act, notFound);
      const { key: rotated } = (await face.control('POST', '/keys', {})).body;
      expect((await till.commit(reservationId, 'ORDER-1', { key: rotated })).status).toBe(200);
    });

    test('the whole balance, all of it held', async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 245.5 });
      expect((await till.commit(reservationId, 'ORDER-1')).body.new_balances.points).toBe(0);
    });

    test('the last moment before it expires', async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 5 });
      await face.advance(15 * minuteMs - 1);
      expect((await till.commit(reservationId, 'ORDER-1')).status).toBe(200);
    });

    test('an order id that is the cart id, or the reference of an earn, is free for it', async () => {
      const till = await openTill(face, [rewardCard]);
      await till.earned('CART-1', { points: 10 });
      const reservationId = await till.reserved('CART-1', { points: 5 });
      expect((await till.commit(reservationId, 'CART-1')).body).toMatchObject({ status: 'success', duplicate: false });
    });
  });

  describe('200 | replay: "commit again with the same order id"', () => {
    test('the first answer with duplicate true; nothing is spent twice', async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 45.5 });
      const first = await till.commit(reservationId, 'ORDER-1');
      for (const laterMs of [0, 16 * minuteMs, 500 * 86_400_000]) {
        await face.advance(laterMs);
        const again = await till.commit(reservationId, 'ORDER-1');
        expect(again.status).toBe(200);
        expect(again.body).toEqual({ ...first.body, duplicate: true });
      }
      expect((await till.balances()).points).toBe(200);
    });

    test('also when the card was suspended since', async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 45.5 });
      const first = await till.commit(reservationId, 'ORDER-1');
      await face.control('POST', `/cards/${till.cardId()}/suspend`);
      expect((await till.commit(reservationId, 'ORDER-1')).body).toEqual({ ...first.body, duplicate: true });
    });

    test('it is a redeem of that reference: a redeem call with it is a replay, too', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.commit(await till.reserved('CART-1', { points: 45.5 }), 'ORDER-1');
      const redeemed = await till.redeem('ORDER-1', { points: 45.5 });
      expect(redeemed.body).toEqual({ ...first.body, duplicate: true });
    });
  });

  describe('gap: Reservations | 409 DUPLICATE_TRANSACTION', () => {
    test('commit again with another order id', async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 45.5 });
      await till.commit(reservationId, 'ORDER-1');
      await expectNothingRecorded(face, till, () => till.commit(reservationId, 'ORDER-2'), duplicate);
      expect(await till.byReference('ORDER-2')).toEqual([]);
    });

    test('an external_ref that already names a redemption; the reservation can still be committed', async () => {
      const till = await openTill(face, [rewardCard]);
      await till.redeem('ORDER-1', { points: 45.5 });
      const reservationId = await till.reserved('CART-1', { points: 45.5 });
      await expectNothingRecorded(face, till, () => till.commit(reservationId, 'ORDER-1'), duplicate);
      expect((await till.commit(reservationId, 'ORDER-2')).body).toMatchObject({ new_balances: { points: 154.5 } });
    });

    test("an external_ref that is another reservation's order", async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserved('CART-1', { points: 5 });
      const second = await till.reserved('CART-2', { points: 5 });
      await till.commit(first, 'ORDER-1');
      await expectNothingRecorded(face, till, () => till.commit(second, 'ORDER-1'), duplicate);
    });

    test('IK | an Idempotency-Key of another reservation’s commit', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserved('CART-1', { points: 5 });
      const second = await till.reserved('CART-2', { points: 5 });
      const options = { idempotencyKey: 'k-1' };
      await till.commit(first, 'ORDER-1', options);
      await expectNothingRecorded(face, till, () => till.commit(second, 'ORDER-2', options), duplicate);
      expect((await till.commit(first, 'ORDER-1', options)).body.duplicate).toBe(true);
      expect((await till.commit(second, 'ORDER-2')).status).toBe(200);
    });
  });

  test('409 | reservation was released', async () => {
    const till = await openTill(face, [rewardCard]);
    const reservationId = await till.reserved('CART-1', { points: 5 });
    await till.release(reservationId);
    const expected = { status: 409, code: 'VALIDATION_ERROR', details: ['reservation_released'] };
    await expectNothingRecorded(face, till, () => till.commit(reservationId, 'ORDER-1'), expected);
  });

  test('410 | reservation expired (reserve again instead of retrying)', async () => {
    const till = await openTill(face, [rewardCard]);
    const reservationId = await till.reserved('CART-1', { points: 5 });
    await face.advance(15 * minuteMs);
    const expected = { status: 410, code: 'RESERVATION_EXPIRED' };
    await expectNothingRecorded(face, till, () => till.commit(reservationId, 'ORDER-1'), expected);
    const again = await till.reserved('CART-1', { points: 5 });
    expect((await till.commit(again, 'ORDER-1')).status).toBe(200);
  });

  describe('422 business-rule violation', () => {
    test('INSUFFICIENT_BALANCE | an earn was reversed under it; it can be committed when there is enough again', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 10 } }]);
      await till.earned('R-1', { points: 30 });
      const reservationId = await till.reserved('CART-1', { points: 40 });
      await till.reverse('R-1', 'earn');
      await face.advance(1000);
      const expected = { status: 422, code: 'INSUFFICIENT_BALANCE' };
      await expectNothingRecorded(face, till, () => till.commit(reservationId, 'ORDER-1'), expected);
      await till.earned('R-2', { points: 30 });
      expect((await till.commit(reservationId, 'ORDER-1')).body).toMatchObject({ new_balances: { points: 0 } });
    });

    test('CARD_NOT_ELIGIBLE | the card is suspended; it can be committed when it is not', async () => {
      const till = await openTill(face, [rewardCard]);
      const reservationId = await till.reserved('CART-1', { points: 5 });
      await face.control('POST', `/cards/${till.cardId()}/suspend`);
      const expected = { status: 422, code: 'CARD_NOT_ELIGIBLE' };
      await expectNothingRecorded(face, till, () => till.commit(reservationId, 'ORDER-1'), expected);
      await face.control('POST', `/cards/${till.cardId()}/resume`);
      expect((await till.commit(reservationId, 'ORDER-1')).status).toBe(200);
    });
  });

  test('404 | a reservation that nobody made, though the order is known', async () => {
    const till = await openTill(face, [rewardCard]);
    await till.redeem('ORDER-1', { points: 5 });
    for (const reference of ['ORDER-1', 'ORDER-2']) {
      const expected = { status: 404, code: 'VALIDATION_ERROR', details: ['reservation_not_found'] };
      await expectNothingRecorded(face, till, () => till.commit('res_nowhere', reference), expected);
    }
  });

  test.each([
    ['external_ref | required', {}],
    ['external_ref | string', { external_ref: 1 }],
    ['external_ref | 1 to 255 characters', { external_ref: '' }],
    ['external_ref | 1 to 255 characters', { external_ref: 'o'.repeat(256) }],
    ['a body is required', undefined],
  ])('400 | %s; the reservation can still be committed', async (_, body) => {
    const till = await openTill(face, [rewardCard]);
    const reservationId = await till.reserved('CART-1', { points: 5 });
    const answer = await face.post(`/redemptions/${reservationId}/commit`, body);
    expectRefusal(answer, { status: 400, code: 'VALIDATION_ERROR' });
    expect((await till.commit(reservationId, 'ORDER-1')).body.duplicate).toBe(false);
  });
});
