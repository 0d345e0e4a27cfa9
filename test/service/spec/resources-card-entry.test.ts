import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardsOf, earnAndApply, makeCustomer, type TestCard } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

const noBalances = {
  points: null,
  cashback_minor: null,
  stamps: null,
  visits: null,
  rewards_available: null,
  currency: null,
};
const rewards = [
  { reward_id: 'rwd_coffee', name: 'Free coffee' },
  { reward_id: 'rwd_cake', name: 'Free cake' },
  { reward_id: 'rwd_voucher', name: '1.000 KWD voucher' },
];

/** Each template: its number, a new card's balances and operations, and those of a card with something on it. */
const table = [
  {
    template: 'tpl_stamp',
    cardType: 0,
    fresh: { stamps: 0, rewards_available: 0 },
    freshOperations: ['earn_stamp'],
    full: { stamps: 3, rewards_available: 2 },
    fullOperations: ['earn_stamp', 'redeem_stamp', 'redeem_reward'],
  },
  {
    template: 'tpl_cashback',
    cardType: 1,
    fresh: { cashback_minor: 0, currency: 'KWD' },
    freshOperations: ['earn_amount'],
    full: { cashback_minor: 1250, currency: 'KWD' },
    fullOperations: ['earn_amount', 'redeem_amount'],
  },
  {
    template: 'tpl_subscription',
    cardType: 2,
    fresh: { visits: 0 },
    freshOperations: [],
    full: { visits: 2 },
    fullOperations: ['redeem_visit'],
  },
  {
    template: 'tpl_coupon',
    cardType: 3,
    fresh: { rewards_available: 1 },
    freshOperations: ['redeem_coupon'],
    full: { rewards_available: 0 },
    fullOperations: [],
  },
  {
    template: 'tpl_discount',
    cardType: 4,
    fresh: { visits: 0 },
    freshOperations: ['earn_visit'],
    full: { visits: 2 },
    fullOperations: ['earn_visit'],
  },
  {
    template: 'tpl_certificate',
    cardType: 5,
    fresh: { cashback_minor: 0, currency: 'KWD' },
    freshOperations: [],
    full: { cashback_minor: 25000, currency: 'USD' },
    fullOperations: ['redeem_amount'],
  },
  {
    template: 'tpl_membership',
    cardType: 6,
    fresh: { visits: 0 },
    freshOperations: ['earn_visit'],
    full: { visits: 1 },
    fullOperations: ['earn_visit', 'redeem_visit'],
  },
  {
    template: 'tpl_unknown',
    cardType: 6,
    fresh: {},
    freshOperations: [],
    full: {},
    fullOperations: [],
  },
];

describe.each(faces)('cards and their templates, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const oneCard = async (card: TestCard) => {
    const customer = await makeCustomer(face, [card]);
    const [shown] = await cardsOf(face, customer);
    return { customer, shown, loyaltyId: customer.cards[0]?.loyalty_id };
  };
  const earn = (fields: object) => face.post('/transactions/earn', { external_ref: 'R-1', ...fields });

  test.each(table)('$template shows what it has and what it supports right now', async (row) => {
    const fresh = await oneCard({ template_id: row.template });
    expect(fresh.shown).toEqual({
      card_id: expect.stringMatching(/^card_/),
      template_name: expect.any(String),
      card_type: row.cardType,
      balances: { ...noBalances, ...row.fresh },
      available_rewards: [],
      allowed_operations: row.freshOperations,
    });
    const full = await oneCard({ template_id: row.template, balances: row.full });
    expect(full.shown.balances).toEqual({ ...noBalances, ...row.full });
    expect(full.shown.allowed_operations).toEqual(row.fullOperations);
    expect(full.shown.available_rewards).toEqual([]);
  });

  test.each([
    [0, 0, ['earn_amount', 'earn_points'], []],
    [99.999, 0, ['earn_amount', 'earn_points', 'redeem_points'], []],
    [100, 1, ['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward'], rewards],
    [250.5, 2, ['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward'], rewards],
  ])('tpl_reward with %d points can claim %d rewards', async (points, count, operations, available) => {
    const { shown } = await oneCard({ template_id: 'tpl_reward', balances: { points } });
    expect(shown.card_type).toBe(7);
    expect(shown.balances).toEqual({ ...noBalances, points, rewards_available: count });
    expect(shown.allowed_operations).toEqual(operations);
    expect(shown.available_rewards).toEqual(available);
  });

  test.each([
    ['tpl_stamp', {}, { stamps: 9 }, { stamps: 9, rewards_available: 0 }],
    ['tpl_stamp', {}, { stamps: 10 }, { stamps: 0, rewards_available: 1 }],
    ['tpl_stamp', { stamps: 8, rewards_available: 1 }, { stamps: 25 }, { stamps: 3, rewards_available: 4 }],
    ['tpl_cashback', {}, { amount_minor: 12500 }, { cashback_minor: 625, currency: 'KWD' }],
    ['tpl_cashback', {}, { amount_minor: 19 }, { cashback_minor: 0, currency: 'KWD' }],
    ['tpl_cashback', {}, { amount_minor: 39 }, { cashback_minor: 1, currency: 'KWD' }],
    ['tpl_discount', { visits: 1 }, { visits: 2 }, { visits: 3 }],
    ['tpl_membership', {}, { visits: 1, amount_minor: 5000 }, { visits: 1 }],
    ['tpl_reward', {}, { amount_minor: 999 }, { points: 0, rewards_available: 0 }],
    ['tpl_reward', { points: 99.5 }, { amount_minor: 1999 }, { points: 100.5, rewards_available: 1 }],
    ['tpl_reward', {}, { points: 0.001 }, { points: 0.001, rewards_available: 0 }],
    ['tpl_reward', { points: 0.1 }, { points: 0.2 }, { points: 0.3, rewards_available: 0 }],
  ])('%s with %o earns %o', async (template, balances, value, after) => {
    const { loyaltyId } = await oneCard({ template_id: template, balances });
    const applied = await earnAndApply(face, { identifier: { loyalty_id: loyaltyId }, external_ref: 'R-1', ...value });
    expect(applied.status).toBe('success');
    expect(applied.new_balances).toEqual({ ...noBalances, ...after });
  });

  test.each([
    ['tpl_stamp', { amount_minor: 1000 }],
    ['tpl_stamp', { points: 1 }],
    ['tpl_cashback', { points: 1 }],
    ['tpl_subscription', { visits: 1 }],
    ['tpl_coupon', { stamps: 1 }],
    ['tpl_discount', { amount_minor: 1000 }],
    ['tpl_certificate', { amount_minor: 1000 }],
    ['tpl_membership', { stamps: 1 }],
    ['tpl_reward', { visits: 1 }],
  ])('%s refuses an earn of %o', async (template, value) => {
    const { loyaltyId, customer } = await oneCard({ template_id: template });
    const scanned = await earn({ identifier: { loyalty_id: loyaltyId }, ...value });
    expect(scanned.status).toBe(422);
    expect(scanned.body.error).toMatchObject({ code: 'CARD_NOT_ELIGIBLE', retryable: false });
    const searched = await earn({ identifier: { customer_id: customer.customer_id }, ...value });
    expect(searched.body.error.code).toBe('CARD_NOT_ELIGIBLE');
    expect((await face.get('/transactions?external_ref=R-1')).body.data).toEqual([]);
  });

  test('unknown mechanics are 422 TEMPLATE_MECHANICS_UNKNOWN, however the card is named', async () => {
    const { loyaltyId, customer } = await oneCard({ template_id: 'tpl_unknown' });
    const cardId = customer.cards[0]?.card_id;
    for (const fields of [
      { identifier: { loyalty_id: loyaltyId } },
      { identifier: { customer_id: customer.customer_id }, card_id: cardId },
      { identifier: { customer_id: customer.customer_id } },
    ]) {
      const answer = await earn({ ...fields, visits: 1 });
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatchObject({ code: 'TEMPLATE_MECHANICS_UNKNOWN', retryable: false });
    }
  });

  test('a suspended card offers nothing until it is resumed', async () => {
    const { loyaltyId, customer } = await oneCard({ template_id: 'tpl_reward', balances: { points: 500 } });
    const cardId = customer.cards[0]?.card_id;
    expect((await face.control('POST', `/cards/${cardId}/suspend`)).body).toMatchObject({ suspended: true });
    const [suspended] = await cardsOf(face, customer);
    expect(suspended).toMatchObject({ allowed_operations: [], available_rewards: [], balances: { points: 500 } });
    const refused = await earn({ identifier: { loyalty_id: loyaltyId }, points: 1 });
    expect(refused.body.error.code).toBe('CARD_NOT_ELIGIBLE');
    await face.control('POST', `/cards/${cardId}/resume`);
    expect((await earn({ identifier: { loyalty_id: loyaltyId }, points: 1 })).status).toBe(202);
  });

  describe('which card', () => {
    const both = [{ template_id: 'tpl_reward' }, { template_id: 'tpl_cashback' }, { template_id: 'tpl_stamp' }];

    test('the only eligible one is picked', async () => {
      const customer = await makeCustomer(face, both);
      const applied = await earnAndApply(face, {
        identifier: { customer_id: customer.customer_id },
        external_ref: 'R-1',
        stamps: 1,
      });
      expect(applied.card_id).toBe(customer.cards[2]?.card_id);
    });

    test('several eligible ones are 422 with details card_id_required, and naming one settles it', async () => {
      const customer = await makeCustomer(face, both);
      const identifier = { customer_id: customer.customer_id };
      const several = await earn({ identifier, amount_minor: 20000 });
      expect(several.status).toBe(422);
      expect(several.body.error).toMatchObject({ code: 'CARD_NOT_ELIGIBLE', details: ['card_id_required'] });
      const cardId = customer.cards[1]?.card_id;
      const applied = await earnAndApply(face, {
        identifier,
        external_ref: 'R-1',
        amount_minor: 20000,
        card_id: cardId,
      });
      expect(applied).toMatchObject({ card_id: cardId, new_balances: { cashback_minor: 1000 } });
    });

    test('a scanned card is that very card: no other is tried', async () => {
      const customer = await makeCustomer(face, both);
      const applied = await earnAndApply(face, {
        identifier: { loyalty_id: customer.cards[1]?.loyalty_id },
        external_ref: 'R-1',
        amount_minor: 20000,
      });
      expect(applied.card_id).toBe(customer.cards[1]?.card_id);
      const lacking = await earn({
        identifier: { loyalty_id: customer.cards[1]?.loyalty_id },
        external_ref: 'R-2',
        stamps: 1,
      });
      expect(lacking.status).toBe(422);
      expect(lacking.body.error.code).toBe('CARD_NOT_ELIGIBLE');
    });

    test("a named card wins over the scanned one, and must be the customer's", async () => {
      const customer = await makeCustomer(face, both);
      const stranger = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
      const identifier = { loyalty_id: customer.cards[0]?.loyalty_id };
      const named = await earnAndApply(face, {
        identifier,
        external_ref: 'R-1',
        stamps: 1,
        card_id: customer.cards[2]?.card_id,
      });
      expect(named.card_id).toBe(customer.cards[2]?.card_id);
      for (const cardId of [stranger.cards[0]?.card_id, 'card_nowhere']) {
        const refused = await earn({ identifier, external_ref: 'R-2', points: 1, card_id: cardId });
        expect(refused.status).toBe(422);
        expect(refused.body.error.code).toBe('CARD_NOT_ELIGIBLE');
      }
    });

    test('no card at all is 422 CARD_NOT_ELIGIBLE', async () => {
      const customer = await makeCustomer(face, []);
      const answer = await earn({ identifier: { customer_id: customer.customer_id }, points: 1 });
      expect(answer.status).toBe(422);
      expect(answer.body.error.code).toBe('CARD_NOT_ELIGIBLE');
    });

    test.each([
      ["a card's own currency", { template_id: 'tpl_cashback', balances: { currency: 'USD' } }, 'KWD'],
      ["the tenant's, for a card without one", { template_id: 'tpl_reward' }, 'USD'],
    ])('a currency other than %s is 422 with details currency_mismatch', async (_, card, currency) => {
      const { loyaltyId } = await oneCard(card);
      const answer = await earn({ identifier: { loyalty_id: loyaltyId }, amount_minor: 1000, currency });
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatchObject({ code: 'CARD_NOT_ELIGIBLE', details: ['currency_mismatch'] });
    });
  });
});
