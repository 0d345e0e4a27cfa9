import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { expectNothingRecorded, type Fields, openTill } from './till.ts';

const mismatch = { status: 422, code: 'CARD_NOT_ELIGIBLE', details: ['currency_mismatch'] };
const usdCard = { template_id: 'tpl_cashback', balances: { cashback_minor: 500, currency: 'USD' } };
const rewardCard = { template_id: 'tpl_reward', balances: { points: 200 } };

describe.each(faces)('gap: Money, time, ids | the currency of a request, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  describe('an omitted currency is KWD, whatever the tenant’s own', () => {
    test.each(['earn', 'redeem', 'reserve'] as const)('on a card in another one: 422 (%s)', async (write) => {
      await face.control('PATCH', '/settings', { currency: 'USD' });
      const till = await openTill(face, [usdCard]);
      await expectNothingRecorded(face, till, () => till[write]('R-1', { amount_minor: 100 }), mismatch);
      const named = await till[write]('R-1', { amount_minor: 100, currency: 'USD' });
      expect(named.status).toBeLessThan(300);
    });

    test('on a card without one, of a tenant with another one: 422', async () => {
      await face.control('PATCH', '/settings', { currency: 'USD' });
      const till = await openTill(face, [rewardCard]);
      await expectNothingRecorded(face, till, () => till.earn('R-1', { amount_minor: 5000 }), mismatch);
      expect((await till.earn('R-1', { amount_minor: 5000, currency: 'USD' })).status).toBe(202);
    });

    test.each(['earn', 'redeem'] as const)('is recorded as KWD on a card that counts in it (%s)', async (write) => {
      const till = await openTill(face, [{ template_id: 'tpl_cashback', balances: { cashback_minor: 500 } }]);
      const { transaction_id: id } = (await till[write]('R-1', { amount_minor: 100 })).body;
      expect(await till.read(id)).toMatchObject({ amount_minor: 100, currency: 'KWD' });
    });

    test('an amount that is only recorded beside points has one, too', async () => {
      const till = await openTill(face, [rewardCard]);
      const fields = { points: 1, amount_minor: 100 };
      const act = () => till.earn('R-1', { ...fields, currency: 'USD' });
      await expectNothingRecorded(face, till, act, mismatch);
      const { transaction_id: id } = (await till.earn('R-1', fields)).body;
      expect(await till.read(id)).toMatchObject({ points: 1, amount_minor: 100, currency: 'KWD' });
    });
  });

  describe('a request without an amount has none: it is not compared, and the record holds null', () => {
    test.each<[string, string, Readonly<Record<string, number>>, Fields]>([
      ['earn', 'tpl_reward', {}, { points: 1 }],
      ['earn', 'tpl_stamp', {}, { stamps: 1 }],
      ['earn', 'tpl_membership', {}, { visits: 1 }],
      ['redeem', 'tpl_reward', { points: 200 }, { points: 1 }],
      ['redeem', 'tpl_reward', { points: 200 }, { reward: true, reward_id: 'rwd_cake' }],
      ['redeem', 'tpl_stamp', { stamps: 3 }, { stamps: 1 }],
      ['redeem', 'tpl_membership', { visits: 3 }, { visits: 1 }],
    ])('%s on %s', async (write, template, balances, fields) => {
      const till = await openTill(face, [{ template_id: template, balances }]);
      const sent = { ...fields, currency: 'USD' };
      const answer = await (write === 'earn' ? till.earn('R-1', sent) : till.redeem('R-1', sent));
      expect(answer.status).toBeLessThan(300);
      expect(await till.read(answer.body.transaction_id)).toMatchObject({ amount_minor: null, currency: null });
    });

    test('redeem of a coupon', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_coupon' }]);
      const { body } = await till.redeem('R-1', { coupon_code: till.cardId(), currency: 'USD' });
      expect(body).toMatchObject({ status: 'success', currency: null });
    });

    test.each([null, { minor_per_point: 10 }])('reserve and commit of points, with the rate %o', async (conversion) => {
      await face.control('PATCH', '/settings', { conversion });
      const till = await openTill(face, [rewardCard]);
      const reserved = await till.reserve('CART-1', { points: 5, currency: 'USD' });
      // What is shown beside a discount is the discount's currency, the tenant's.
      expect(reserved.body).toMatchObject(
        conversion === null
          ? { discount_value_minor: null, currency: null }
          : { discount_value_minor: 50, currency: 'KWD' },
      );
      const committed = await till.commit(reserved.body.reservation_id, 'ORDER-1');
      expect(committed.body).toMatchObject({ points: 5, amount_minor: null, currency: null });
    });
  });
});
