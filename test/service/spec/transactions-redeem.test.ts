import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectError, expectTransaction } from '../../support/exact-fields.ts';
import { cardsOf, earnAndApply, makeCustomer, type TestCard } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

const none = {
  points: null,
  cashback_minor: null,
  stamps: null,
  visits: null,
  rewards_available: null,
  currency: null,
};

describe.each(faces)('POST /transactions/redeem, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const redeem = (body: object, options?: { readonly idempotencyKey?: string }) =>
    face.post('/transactions/redeem', body, options);
  const customerWith = async (...cards: TestCard[]) => {
    const customer = await makeCustomer(face, cards);
    const [first, second] = customer.cards;
    return {
      identifier: { customer_id: customer.customer_id },
      customer,
      cardId: first?.card_id,
      secondId: second?.card_id,
    };
  };

  test.each([
    [
      'amount_minor | one of six | cashback to apply',
      'tpl_cashback',
      { cashback_minor: 1250 },
      { amount_minor: 1000 },
      { cashback_minor: 250, currency: 'KWD' },
    ],
    [
      'amount_minor, of a certificate',
      'tpl_certificate',
      { cashback_minor: 5000 },
      { amount_minor: 5000 },
      { cashback_minor: 0, currency: 'KWD' },
    ],
    [
      'points | one of six',
      'tpl_reward',
      { points: 245.5 },
      { points: 100.125 },
      { points: 145.375, rewards_available: 1 },
    ],
    [
      'stamps | one of six',
      'tpl_stamp',
      { stamps: 7, rewards_available: 1 },
      { stamps: 3 },
      { stamps: 4, rewards_available: 1 },
    ],
    ['visits | one of six', 'tpl_subscription', { visits: 20 }, { visits: 1 }, { visits: 19 }],
    ['visits, of a membership', 'tpl_membership', { visits: 2 }, { visits: 2 }, { visits: 0 }],
    [
      'reward | only true allowed | claims the earned reward on a Stamp card',
      'tpl_stamp',
      { stamps: 7, rewards_available: 2 },
      { reward: true },
      { stamps: 7, rewards_available: 1 },
    ],
    [
      'reward_id | only if the card offers more than one reward',
      'tpl_reward',
      { points: 245.5 },
      { reward: true, reward_id: 'rwd_cake' },
      { points: 145.5, rewards_available: 1 },
    ],
  ])('%s', async (_, template, balances, value, after) => {
    const { identifier, customer, cardId } = await customerWith({ template_id: template, balances });
    const answer = await redeem({ identifier, external_ref: 'R-1', ...value });
    expect(answer.status).toBe(200);
    expectTransaction(answer.body, 'write');
    expect(answer.body).toMatchObject({
      intent: 'redeem',
      status: 'success',
      duplicate: false,
      external_ref: 'R-1',
      customer_id: customer.customer_id,
      card_id: cardId,
      amount_minor: null,
      points: null,
      stamps: null,
      visits: null,
      ...('reward' in value ? {} : value),
      new_balances: { ...none, ...after },
      error: null,
      occurred_at: '2026-11-20T18:13:00.000Z',
      completed_at: '2026-11-20T18:13:00.000Z',
    });
    expect((await cardsOf(face, customer))[0].balances).toEqual({ ...none, ...after });
    const read = await face.get(`/transactions/${answer.body.transaction_id}`);
    expectTransaction(read.body, 'read');
    const { duplicate: _duplicate, ...transaction } = answer.body;
    expect(read.body).toEqual(transaction);
  });

  test("coupon_code | the coupon's card_id as returned by identify; once", async () => {
    const { identifier, customer, cardId } = await customerWith(
      { template_id: 'tpl_coupon' },
      { template_id: 'tpl_coupon' },
    );
    const answer = await redeem({ identifier, external_ref: 'R-1', coupon_code: cardId });
    expect(answer).toMatchObject({
      status: 200,
      body: { card_id: cardId, new_balances: { ...none, rewards_available: 0 } },
    });
    const [used, other] = await cardsOf(face, customer);
    expect([used.allowed_operations, other.allowed_operations]).toEqual([[], ['redeem_coupon']]);
    const again = await redeem({ identifier, external_ref: 'R-2', coupon_code: cardId });
    expectError(again, { status: 409, code: 'COUPON_ALREADY_REDEEMED' });
    expect((await face.get('/transactions?external_ref=R-2')).body.data).toEqual([]);
  });

  test('409 coupon already redeemed is told before eligibility, also of a suspended card', async () => {
    const { identifier, cardId } = await customerWith({
      template_id: 'tpl_coupon',
      balances: { rewards_available: 0 },
      suspended: true,
    });
    expectError(await redeem({ identifier, external_ref: 'R-1', coupon_code: cardId }), {
      status: 409,
      code: 'COUPON_ALREADY_REDEEMED',
    });
  });

  test.each([
    ['identifier | yes', { identifier: undefined, points: 1 }, 'identifier'],
    ['external_ref | yes', { external_ref: undefined, points: 1 }, 'external_ref'],
    ['At least one of points, amount_minor, stamps, visits, coupon_code, reward is present', {}, ''],
    ['gap: Which card: a redeem with two value fields is 400', { points: 1, stamps: 1 }, ''],
    ['reward | only true allowed; omit rather than send false', { reward: false }, 'reward'],
    ['amount_minor | integer', { amount_minor: 1.5 }, 'amount_minor'],
    ['amount_minor: zero is 400 (gap: Which card)', { amount_minor: 0 }, 'amount_minor'],
    ['points: negative is 400 (gap: Which card)', { points: -1 }, 'points'],
    ['currency | string, 3 chars, upper-case ISO 4217', { amount_minor: 1, currency: 'kw' }, 'currency'],
  ])('400: %s', async (_, fields, field) => {
    const answer = await redeem({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', ...fields });
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test('404 not found: the customer', async () => {
    expectError(await redeem({ identifier: { loyalty_id: 'nobody' }, external_ref: 'R-1', points: 1 }), {
      status: 404,
      code: 'CUSTOMER_NOT_FOUND',
    });
  });

  test('422: more than the balance is INSUFFICIENT_BALANCE, and the reference stays free', async () => {
    const { identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 10 } });
    expectError(await redeem({ identifier, external_ref: 'R-1', points: 10.001 }), {
      status: 422,
      code: 'INSUFFICIENT_BALANCE',
    });
    expect((await redeem({ identifier, external_ref: 'R-1', points: 10 })).body).toMatchObject({ duplicate: false });
  });

  test.each([
    ['nothing to spend: the operation is not in the list', { template_id: 'tpl_reward' }, { points: 1 }],
    [
      'no reward to claim',
      { template_id: 'tpl_reward', balances: { points: 99 } },
      { reward: true, reward_id: 'rwd_cake' },
    ],
    ['a suspended card', { template_id: 'tpl_reward', balances: { points: 99 }, suspended: true }, { points: 1 }],
    ['a discount card redeems nothing', { template_id: 'tpl_discount', balances: { visits: 3 } }, { visits: 1 }],
  ])('422 CARD_NOT_ELIGIBLE: %s', async (_, card, value) => {
    const { identifier, cardId } = await customerWith(card);
    for (const more of [{}, { card_id: cardId }]) {
      expectError(await redeem({ identifier, external_ref: 'R-1', ...value, ...more }), {
        status: 422,
        code: 'CARD_NOT_ELIGIBLE',
      });
    }
  });

  test('gap: Which card: a missing reward choice, and one that the card does not offer', async () => {
    const { identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 100 } });
    const expected = { status: 422, code: 'CARD_NOT_ELIGIBLE' };
    expectError(await redeem({ identifier, external_ref: 'R-1', reward: true }), {
      ...expected,
      details: ['reward_id_required'],
    });
    expectError(await redeem({ identifier, external_ref: 'R-1', reward: true, reward_id: 'rwd_car' }), {
      ...expected,
      details: ['reward_id_unknown'],
    });
  });

  test('gap: Which card: several eligible cards want card_id; the named one is taken', async () => {
    const card = { template_id: 'tpl_reward', balances: { points: 50 } };
    const { identifier, customer, secondId } = await customerWith(card, card);
    expectError(await redeem({ identifier, external_ref: 'R-1', points: 1 }), {
      status: 422,
      code: 'CARD_NOT_ELIGIBLE',
      details: ['card_id_required'],
    });
    expect((await redeem({ identifier, external_ref: 'R-1', points: 1, card_id: secondId })).body.card_id).toBe(
      secondId,
    );
    const scanned = await redeem({
      identifier: { loyalty_id: customer.cards[0]?.loyalty_id },
      external_ref: 'R-2',
      points: 1,
    });
    expect(scanned.body.card_id).toBe(customer.cards[0]?.card_id);
  });

  test("gap: Which card: another customer's card_id, and a coupon_code beside another card_id", async () => {
    const { identifier, cardId } = await customerWith({ template_id: 'tpl_coupon' });
    const other = await customerWith({ template_id: 'tpl_coupon' });
    const expected = { status: 422, code: 'CARD_NOT_ELIGIBLE' };
    expectError(await redeem({ identifier, external_ref: 'R-1', coupon_code: other.cardId }), expected);
    expectError(
      await redeem({ identifier, external_ref: 'R-1', coupon_code: cardId, card_id: other.cardId }),
      expected,
    );
  });

  test("gap: Which card: a currency other than the card's", async () => {
    const { identifier } = await customerWith({
      template_id: 'tpl_cashback',
      balances: { cashback_minor: 500, currency: 'USD' },
    });
    expectError(await redeem({ identifier, external_ref: 'R-1', amount_minor: 100, currency: 'KWD' }), {
      status: 422,
      code: 'CARD_NOT_ELIGIBLE',
      details: ['currency_mismatch'],
    });
    expect((await redeem({ identifier, external_ref: 'R-1', amount_minor: 100, currency: 'USD' })).body).toMatchObject({
      currency: 'USD',
      new_balances: { cashback_minor: 400 },
    });
  });

  test('gap: Cards: mechanics that the service does not know', async () => {
    expectError(await redeem({ identifier: { loyalty_id: 'LC-1011' }, external_ref: 'R-1', points: 1 }), {
      status: 422,
      code: 'TEMPLATE_MECHANICS_UNKNOWN',
    });
  });

  test('504 upstream timeout: retried with the same external_ref it is done once', async () => {
    const { identifier, customer } = await customerWith({ template_id: 'tpl_reward', balances: { points: 50 } });
    await face.control('POST', '/faults', {
      match: { path: '/transactions/redeem' },
      effect: { type: 'error', status: 504, code: 'UPSTREAM_TIMEOUT' },
      times: 1,
    });
    expectError(await redeem({ identifier, external_ref: 'R-1', points: 20 }), {
      status: 504,
      code: 'UPSTREAM_TIMEOUT',
      retryable: true,
    });
    expect((await redeem({ identifier, external_ref: 'R-1', points: 20 })).body).toMatchObject({ duplicate: false });
    expect((await redeem({ identifier, external_ref: 'R-1', points: 20 })).body).toMatchObject({ duplicate: true });
    expect((await cardsOf(face, customer))[0].balances.points).toBe(30);
  });

  test("a replay answers with the first request's outcome, whatever its body says, however late", async () => {
    const { identifier, customer } = await customerWith({ template_id: 'tpl_reward', balances: { points: 50 } });
    const first = await redeem({ identifier, external_ref: 'R-1', points: 50 });
    await face.advance(400 * 24 * 3_600_000);
    const replay = await redeem({ identifier, external_ref: 'R-1', points: 7 });
    expect(replay).toMatchObject({ status: 200, body: { ...first.body, duplicate: true } });
    expect((await face.control('GET', '/requests?limit=1')).body.data[0]).toMatchObject({
      duplicate: true,
      payload_differs: true,
    });
    expect((await cardsOf(face, customer))[0].balances.points).toBe(0);
  });

  test('an earn and a redeem may share a reference', async () => {
    const { identifier } = await customerWith({ template_id: 'tpl_reward', balances: { points: 50 } });
    await earnAndApply(face, { identifier, external_ref: 'R-1', points: 5 });
    expect((await redeem({ identifier, external_ref: 'R-1', points: 55 })).body.new_balances.points).toBe(0);
    const { data } = (await face.get('/transactions?external_ref=R-1')).body;
    expect(data.map(({ intent }: { intent: string }) => intent)).toEqual(['earn', 'redeem']);
  });
});
