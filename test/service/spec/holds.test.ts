import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardsOf } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { balances, expectNothingRecorded, expectRefusal, openTill } from './till.ts';

const minuteMs = 60_000;
const insufficient = { status: 422, code: 'INSUFFICIENT_BALANCE' };
const pointsCard = { template_id: 'tpl_reward', balances: { points: 100 } };
const moneyCard = { template_id: 'tpl_cashback', balances: { cashback_minor: 1000 } };

describe.each(faces)('gap: Reservations | "a hold lowers what redeem and reserve can spend", $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  test.each([
    ['points', pointsCard, { points: 100 }],
    ['an amount', moneyCard, { amount_minor: 1000 }],
  ])('"not the balance shown": %s; only the rewards that can be claimed are fewer', async (_, card, holds) => {
    const till = await openTill(face, [card]);
    const [before] = await cardsOf(face, till.customer);
    await till.reserved('CART-1', holds);
    const { rewards_available: rewards } = before.balances;
    expect(await cardsOf(face, till.customer)).toEqual([
      {
        ...before,
        balances: { ...before.balances, rewards_available: rewards === null ? null : 0 },
        available_rewards: [],
      },
    ]);
  });

  describe('gap: Cards, templates, mechanics | rewards_available is what can be claimed right now', () => {
    const rewardsCard = { template_id: 'tpl_reward', balances: { points: 350 } };

    test('what holds leave, in the profile and in every new_balances', async () => {
      const till = await openTill(face, [rewardsCard]);
      const first = await till.reserved('CART-1', { points: 100 });
      await till.reserved('CART-2', { points: 60 });
      expect(await till.balances()).toEqual(balances({ points: 350, rewards_available: 1 }));
      const redeemed = await till.redeem('R-1', { points: 10 });
      expect(redeemed.body.new_balances).toEqual(balances({ points: 340, rewards_available: 1 }));
      const earned = await till.earned('R-2', { points: 30 });
      expect((await till.read(earned)).new_balances).toEqual(balances({ points: 370, rewards_available: 2 }));
      // What is committed is spent and held no longer; the other cart's hold stands.
      const committed = await till.commit(first, 'ORDER-1');
      expect(committed.body.new_balances).toEqual(balances({ points: 270, rewards_available: 2 }));
      const reversal = (await till.reverse('R-1', 'redeem')).body.transaction_id;
      await face.advance(1000);
      expect((await till.read(reversal)).new_balances).toEqual(balances({ points: 280, rewards_available: 2 }));
    });

    test('a hold that is let go or has run out leaves it as it was', async () => {
      const till = await openTill(face, [pointsCard]);
      const before = await till.balances();
      await till.release(await till.reserved('CART-1', { points: 1 }));
      expect(await till.balances()).toEqual(before);
      await till.reserved('CART-2', { points: 1, ttl_minutes: 1 });
      expect((await till.balances()).rewards_available).toBe(0);
      await face.advance(minuteMs);
      expect(await till.balances()).toEqual(before);
    });

    test('never below 0, also when a reversed earn has taken the points from under a hold', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_reward' }]);
      await till.earned('R-1', { points: 300 });
      await till.reserved('CART-1', { points: 250 });
      await till.reverse('R-1', 'earn');
      await face.advance(1000);
      expect(await till.balances()).toEqual(balances({ points: 0, rewards_available: 0 }));
    });

    test('when every reward is held, one that is not named is refused for the balance, not for the choice', async () => {
      const till = await openTill(face, [pointsCard]);
      await till.reserved('CART-1', { points: 1 });
      await expectNothingRecorded(face, till, () => till.redeem('R-1', { reward: true }), insufficient);
    });
  });

  test.each([
    ['points', pointsCard, { points: 60 }, { points: 40 }, { points: 40.001 }],
    ['an amount', moneyCard, { amount_minor: 600 }, { amount_minor: 400 }, { amount_minor: 401 }],
  ])('%s: a redemption takes what is not held, and not one more', async (_, card, holds, rest, more) => {
    const till = await openTill(face, [card]);
    await till.reserved('CART-1', holds);
    await expectNothingRecorded(face, till, () => till.redeem('R-1', more), insufficient);
    expect((await till.redeem('R-1', rest)).status).toBe(200);
  });

  test.each([
    ['points', pointsCard, { points: 60 }, { points: 40 }, { points: 40.001 }],
    ['an amount', moneyCard, { amount_minor: 600 }, { amount_minor: 400 }, { amount_minor: 401 }],
  ])('%s: another cart holds what is not held, and not one more', async (_, card, holds, rest, more) => {
    const till = await openTill(face, [card]);
    await till.reserved('CART-1', holds);
    await expectNothingRecorded(face, till, () => till.reserve('CART-2', more), insufficient);
    expect((await till.reserve('CART-2', rest)).status).toBe(201);
  });

  test('a reward is paid in points: a held point is no part of its price', async () => {
    const till = await openTill(face, [pointsCard]);
    const reservationId = await till.reserved('CART-1', { points: 0.001 });
    const act = () => till.redeem('R-1', { reward: true, reward_id: 'rwd_cake' });
    await expectNothingRecorded(face, till, act, insufficient);
    await till.release(reservationId);
    expect((await act()).status).toBe(200);
  });

  test('gap: Which card | when all is held, the operation stays listed and answers INSUFFICIENT_BALANCE', async () => {
    const till = await openTill(face, [pointsCard]);
    await till.reserved('CART-1', { points: 100 });
    expect(await till.operations()).toEqual(['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward']);
    await expectNothingRecorded(face, till, () => till.redeem('R-1', { points: 0.001 }), insufficient);
    await expectNothingRecorded(face, till, () => till.reserve('CART-2', { points: 0.001 }), insufficient);
  });

  test('holds add up', async () => {
    const till = await openTill(face, [pointsCard]);
    for (const cart of ['CART-1', 'CART-2', 'CART-3']) await till.reserved(cart, { points: 33.333 });
    expectRefusal(await till.redeem('R-1', { points: 0.002 }), insufficient);
    expect((await till.redeem('R-1', { points: 0.001 })).status).toBe(200);
  });

  test("a hold is one card's: the customer's other cards are free", async () => {
    const till = await openTill(face, [pointsCard, pointsCard, moneyCard]);
    await till.reserved('CART-1', { points: 100, card_id: till.cardId(0) });
    expect((await till.redeem('R-1', { points: 100, card_id: till.cardId(1) })).status).toBe(200);
    expect((await till.redeem('R-2', { amount_minor: 1000 })).status).toBe(200);
  });

  test('what is earned meanwhile can be spent', async () => {
    const till = await openTill(face, [pointsCard]);
    await till.reserved('CART-1', { points: 100 });
    await till.earned('R-1', { points: 5 });
    expect((await till.redeem('R-2', { points: 5 })).status).toBe(200);
    expectRefusal(await till.redeem('R-3', { points: 1 }), insufficient);
  });

  test('what a reversal gives back can be spent', async () => {
    const till = await openTill(face, [pointsCard]);
    await till.redeem('R-1', { points: 30 });
    await till.reserved('CART-1', { points: 70 });
    await till.reverse('R-1', 'redeem');
    await face.advance(1000);
    expectRefusal(await till.redeem('R-2', { points: 31 }), insufficient);
    expect((await till.redeem('R-2', { points: 30 })).status).toBe(200);
  });

  test('a commit spends what it held and nothing else: the rest is as free as before', async () => {
    const till = await openTill(face, [pointsCard]);
    const reservationId = await till.reserved('CART-1', { points: 60 });
    await till.commit(reservationId, 'ORDER-1');
    expectRefusal(await till.redeem('R-1', { points: 40.001 }), insufficient);
    expect((await till.redeem('R-1', { points: 40 })).body.new_balances).toEqual(
      balances({ points: 0, rewards_available: 0 }),
    );
  });

  test('expiry frees, at its moment and not before; a longer hold stays', async () => {
    const till = await openTill(face, [pointsCard]);
    await till.reserved('CART-1', { points: 60, ttl_minutes: 5 });
    await till.reserved('CART-2', { points: 30, ttl_minutes: 120 });
    await face.advance(5 * minuteMs - 1);
    expectRefusal(await till.redeem('R-1', { points: 11 }), insufficient);
    await face.advance(1);
    expectRefusal(await till.redeem('R-1', { points: 71 }), insufficient);
    expect((await till.redeem('R-1', { points: 70 })).status).toBe(200);
  });

  test('"capped at 120": a hold asked for longer is free after two hours', async () => {
    const till = await openTill(face, [pointsCard]);
    await till.reserved('CART-1', { points: 100, ttl_minutes: 10_000 });
    await face.advance(120 * minuteMs - 1);
    expectRefusal(await till.redeem('R-1', { points: 1 }), insufficient);
    await face.advance(1);
    expect((await till.redeem('R-1', { points: 100 })).status).toBe(200);
  });

  test('without the control API, too: a hold runs out as time passes', async () => {
    const till = await openTill(face, [pointsCard]);
    await till.reserved('CART-1', { points: 100 });
    face.host.advance(15 * minuteMs);
    expect((await till.redeem('R-1', { points: 100 })).status).toBe(200);
  });
});
