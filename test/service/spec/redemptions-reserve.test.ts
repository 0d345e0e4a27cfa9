import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestCard } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import {
  balances,
  expectNothingRecorded,
  expectRefusal,
  type Fields,
  instantAfter,
  openTill,
  type Till,
} from './till.ts';

const minuteMs = 60_000;
const rewardCard = { template_id: 'tpl_reward', balances: { points: 245.5 } };
const cashbackCard = { template_id: 'tpl_cashback', balances: { cashback_minor: 1250 } };
const notEligible = { status: 422, code: 'CARD_NOT_ELIGIBLE' };

describe.each(faces)('POST /redemptions/reserve, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  /** A whole Reservation, for `toEqual`. */
  const reservation = (till: Till, facts: Fields) => ({
    reservation_id: expect.stringMatching(/^res_/),
    state: 'reserved',
    card_id: till.cardId(),
    points: null,
    amount_minor: null,
    discount_value_minor: null,
    currency: null,
    expires_at: instantAfter(15 * minuteMs),
    duplicate: false,
    ...facts,
  });
  const patchSettings = async (settings: object) =>
    expect((await face.control('PATCH', '/settings', settings)).status).toBe(200);

  describe('201 Reservation: "holds points against a cart, and no balance moves until it is committed"', () => {
    test('points | number', async () => {
      const till = await openTill(face, [rewardCard]);
      const answer = await till.reserve('CART-1', { points: 45.25 });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual(reservation(till, { points: 45.25 }));
      expect(await till.balances()).toEqual(balances({ points: 245.5, rewards_available: 2 }));
    });

    test.each(['tpl_cashback', 'tpl_certificate'])('amount_minor | integer, on %s', async (template) => {
      const till = await openTill(face, [{ ...cashbackCard, template_id: template }]);
      const answer = await till.reserve('CART-1', { amount_minor: 1250 });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual(reservation(till, { amount_minor: 1250, currency: 'KWD' }));
      expect(await till.balances()).toEqual(balances({ cashback_minor: 1250, currency: 'KWD' }));
    });

    test('a reservation is no transaction', async () => {
      const till = await openTill(face, [rewardCard]);
      await till.reserved('CART-1', { points: 45.25 });
      expect(await till.history()).toEqual([]);
      expect(await till.byReference('CART-1')).toEqual([]);
    });

    test('currency | 3 chars, as sent', async () => {
      const usd = { template_id: 'tpl_cashback', balances: { cashback_minor: 500, currency: 'USD' } };
      const till = await openTill(face, [rewardCard, usd]);
      expect((await till.reserve('CART-2', { amount_minor: 1, currency: 'USD' })).body.currency).toBe('USD');
    });

    test('identifier | any of the five', async () => {
      const facts = { phone: '+96555512345', email: 'amal@example.com', external_id: 'crm-77' };
      const till = await openTill(face, [{ ...rewardCard, loyalty_id: 'LC-77' }], facts);
      const identifiers = [
        { loyalty_id: 'LC-77' },
        { phone: '5551 2345' },
        { email: 'amal@example.com' },
        { external_id: 'crm-77' },
        { customer_id: till.customer.customer_id },
      ];
      for (const [index, identifier] of identifiers.entries()) {
        const answer = await till.reserve(`CART-${index}`, { identifier, points: 1 });
        expect(answer.body).toEqual(reservation(till, { points: 1 }));
      }
    });
  });

  describe('ttl_minutes | "overrides the tenant default, capped at 120"', () => {
    test.each([
      [1, 1],
      [30, 30],
      [119, 119],
      [120, 120],
      [121, 120],
      [100_000, 120],
    ])('%i: %i minutes', async (asked, given) => {
      const till = await openTill(face, [rewardCard]);
      const { body } = await till.reserve('CART-1', { points: 1, ttl_minutes: asked });
      expect(body.expires_at).toBe(instantAfter(given * minuteMs));
    });

    test('gap: Reservations | default 15 minutes, from now; the tenant may have another', async () => {
      const till = await openTill(face, [rewardCard]);
      await face.advance(2500);
      expect((await till.reserve('CART-1', { points: 1 })).body.expires_at).toBe(instantAfter(15 * minuteMs + 2500));
      await patchSettings({ reservation_ttl_minutes: 45 });
      expect((await till.reserve('CART-2', { points: 1 })).body.expires_at).toBe(instantAfter(45 * minuteMs + 2500));
    });
  });

  describe('discount_value_minor | "null when no rate is configured, and never defaulted"', () => {
    test.each([
      ['points', rewardCard, { points: 45.25 }],
      ['amount_minor', cashbackCard, { amount_minor: 100 }],
    ])('no rate: null for %s', async (_, card, fields) => {
      const till = await openTill(face, [card]);
      expect((await till.reserve('CART-1', fields)).body.discount_value_minor).toBeNull();
    });

    test.each([
      [10, 45, 450],
      [10, 12.5, 125],
      [10, 0.099, 0],
      [10, 1.199, 11],
      [1, 0.999, 0],
      [1000, 1.005, 1005],
      [1000, 4.35, 4350],
      [7, 33.333, 233],
      [0.1, 30, 3],
      [0.29, 100, 29],
      [1e-7, 45, 0],
    ])('a rate of %d minor units a point: %d points are %i, rounded down', async (rate, points, minor) => {
      await patchSettings({ conversion: { minor_per_point: rate } });
      const till = await openTill(face, [rewardCard]);
      const { body } = await till.reserve('CART-1', { points });
      expect(body).toEqual(reservation(till, { points, discount_value_minor: minor, currency: 'KWD' }));
    });

    test('a large worth is exact, where a product of doubles is one off', async () => {
      await patchSettings({ conversion: { minor_per_point: 1_000_003.7 } });
      const points = 8_999_999_999.999;
      const till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points } }]);
      const { body } = await till.reserve('CART-1', { points });
      expect(body.discount_value_minor).toBe(Number((8_999_999_999_999n * 10_000_037n) / 10_000n));
    });

    test('a rate, and an amount: the amount', async () => {
      await patchSettings({ conversion: { minor_per_point: 10 } });
      const till = await openTill(face, [cashbackCard]);
      expect((await till.reserve('CART-1', { amount_minor: 77 })).body.discount_value_minor).toBe(77);
    });

    test('a rate taken away again: null', async () => {
      await patchSettings({ conversion: { minor_per_point: 10 } });
      await patchSettings({ conversion: null });
      const till = await openTill(face, [rewardCard]);
      expect((await till.reserve('CART-1', { points: 5 })).body.discount_value_minor).toBeNull();
    });

    test('a replay shows the worth that the first answer had', async () => {
      await patchSettings({ conversion: { minor_per_point: 10 } });
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserve('CART-1', { points: 5 });
      await patchSettings({ conversion: { minor_per_point: 20 } });
      expect((await till.reserve('CART-1', { points: 5 })).body).toEqual({ ...first.body, duplicate: true });
    });
  });

  describe('200 Reservation | "replay: the cart already holds these points"', () => {
    test('while reserved: the first answer with duplicate true, and one hold', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserve('CART-1', { points: 200 });
      await face.advance(14 * minuteMs);
      const again = await till.reserve('CART-1', { points: 200 });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, duplicate: true });
      expect((await till.reserve('CART-2', { points: 45.5 })).status).toBe(201);
    });

    test('while committed: the same, with its state, however late', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserve('CART-1', { points: 200 });
      await till.commit(first.body.reservation_id, 'ORDER-1');
      await face.advance(1000 * minuteMs);
      const again = await till.reserve('CART-1', { points: 200 });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, state: 'committed', duplicate: true });
    });

    test('gap: Transactions | even if its body differs, the card is suspended or nobody is named', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserve('CART-1', { points: 200 });
      await face.control('POST', `/cards/${till.cardId()}/suspend`);
      for (const fields of [
        { points: 5 },
        { amount_minor: 5, ttl_minutes: 60 },
        { identifier: { email: 'no@no.no' } },
      ]) {
        const again = await till.reserve('CART-1', {
          points: 200,
          ...fields,
          ...('amount_minor' in fields ? { points: undefined } : {}),
        });
        expect(again.status).toBe(200);
        expect(again.body).toEqual({ ...first.body, duplicate: true });
      }
    });

    test('gap: Reservations | after release or expiry: a new reservation', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserved('CART-1', { points: 200 });
      await till.release(first);
      const second = await till.reserve('CART-1', { points: 245.5, ttl_minutes: 1 });
      expect(second.status).toBe(201);
      expect(second.body).toMatchObject({ points: 245.5, duplicate: false });
      await face.advance(minuteMs);
      const third = await till.reserve('CART-1', { points: 245.5 });
      expect(third.status).toBe(201);
      expect(new Set([first, second.body.reservation_id, third.body.reservation_id]).size).toBe(3);
      expect((await till.reserve('CART-1', { points: 245.5 })).body).toEqual({ ...third.body, duplicate: true });
    });

    test('an earn and a redemption of that reference are other writes', async () => {
      const till = await openTill(face, [rewardCard]);
      await till.earned('R-1', { points: 1 });
      await till.redeem('R-1', { points: 1 });
      expect((await till.reserve('R-1', { points: 1 })).status).toBe(201);
    });

    test('another partner’s cart of that reference is another one; a rotated key’s is the same', async () => {
      const till = await openTill(face, [rewardCard]);
      const first = await till.reserve('CART-1', { points: 5 });
      const { key: rotated } = (await face.control('POST', '/keys', {})).body;
      const { key: other } = (await face.control('POST', '/keys', { source: 'web-shop' })).body;
      const same = await till.reserve('CART-1', { points: 5 }, { key: rotated });
      expect(same.body).toEqual({ ...first.body, duplicate: true });
      expect((await till.reserve('CART-1', { points: 5 }, { key: other })).status).toBe(201);
    });

    test('IK | an Idempotency-Key of another cart is 409 DUPLICATE_TRANSACTION', async () => {
      const till = await openTill(face, [rewardCard]);
      const options = { idempotencyKey: 'k-1' };
      await till.reserve('CART-1', { points: 5 }, options);
      const act = () => till.reserve('CART-2', { points: 5 }, options);
      await expectNothingRecorded(face, till, act, { status: 409, code: 'DUPLICATE_TRANSACTION' });
      expect((await till.reserve('CART-1', { points: 5 }, options)).body.duplicate).toBe(true);
    });
  });

  describe('422', () => {
    test.each<[string, TestCard, Fields]>([
      ['points', rewardCard, { points: 245.501 }],
      ['amount_minor', cashbackCard, { amount_minor: 1251 }],
    ])('INSUFFICIENT_BALANCE | %s: one more than the card holds; the reference stays free', async (_, card, fields) => {
      const till = await openTill(face, [card]);
      const expected = { status: 422, code: 'INSUFFICIENT_BALANCE' };
      await expectNothingRecorded(face, till, () => till.reserve('CART-1', fields), expected);
      const enough = 'points' in fields ? { points: 245.5 } : { amount_minor: 1250 };
      expect((await till.reserve('CART-1', enough)).status).toBe(201);
    });

    test.each<[string, TestCard, Fields]>([
      ['points on tpl_cashback', cashbackCard, { points: 1 }],
      ['amount_minor on tpl_reward', rewardCard, { amount_minor: 1 }],
      ['points on tpl_stamp', { template_id: 'tpl_stamp', balances: { stamps: 9 } }, { points: 1 }],
      [
        'amount_minor on tpl_membership',
        { template_id: 'tpl_membership', balances: { visits: 9 } },
        { amount_minor: 1 },
      ],
      ['points on tpl_coupon', { template_id: 'tpl_coupon' }, { points: 1 }],
      ['points on an empty tpl_reward', { template_id: 'tpl_reward' }, { points: 1 }],
      ['points on a suspended tpl_reward', { ...rewardCard, suspended: true }, { points: 1 }],
    ])('CARD_NOT_ELIGIBLE | %s', async (_, card, fields) => {
      const till = await openTill(face, [card]);
      await expectNothingRecorded(face, till, () => till.reserve('CART-1', fields), notEligible);
      await expectNothingRecorded(
        face,
        till,
        () => till.reserve('CART-1', { ...fields, card_id: till.cardId() }),
        notEligible,
      );
    });

    test.each([{ points: 1 }, { amount_minor: 1 }])('TEMPLATE_MECHANICS_UNKNOWN | %o', async (fields) => {
      const till = await openTill(face, [{ template_id: 'tpl_unknown' }]);
      const expected = { status: 422, code: 'TEMPLATE_MECHANICS_UNKNOWN' };
      await expectNothingRecorded(face, till, () => till.reserve('CART-1', fields), expected);
    });

    test('gap: Which card | named, scanned, the only one, or card_id_required', async () => {
      const other = await openTill(face, [rewardCard]);
      const till = await openTill(face, [
        rewardCard,
        { ...rewardCard, loyalty_id: 'LC-77' },
        { ...cashbackCard, loyalty_id: 'LC-78' },
      ]);
      const several = { ...notEligible, details: ['card_id_required'] };
      await expectNothingRecorded(face, till, () => till.reserve('C-1', { points: 1 }), several);
      expect((await till.reserve('C-1', { points: 1, card_id: till.cardId(1) })).body.card_id).toBe(till.cardId(1));
      const scanned = await till.reserve('C-2', { points: 1, identifier: { loyalty_id: 'LC-77' } });
      expect(scanned.body.card_id).toBe(till.cardId(1));
      expect((await till.reserve('C-3', { amount_minor: 1 })).body.card_id).toBe(till.cardId(2));
      const wrong = () => till.reserve('C-4', { points: 1, identifier: { loyalty_id: 'LC-78' } });
      await expectNothingRecorded(face, till, wrong, notEligible);
      const foreign = () => till.reserve('C-4', { points: 1, card_id: other.cardId() });
      await expectNothingRecorded(face, till, foreign, notEligible);
    });

    test("gap: Which card | a currency other than the card's: details currency_mismatch", async () => {
      const till = await openTill(face, [cashbackCard]);
      const expected = { ...notEligible, details: ['currency_mismatch'] };
      const act = () => till.reserve('CART-1', { amount_minor: 1, currency: 'USD' });
      await expectNothingRecorded(face, till, act, expected);
    });

    test('gap: Money, time, ids | points worth more than 2^53-1: VALIDATION_ERROR, and the cart stays free', async () => {
      await patchSettings({ conversion: { minor_per_point: 1e9 } });
      const till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 20_000_000 } }]);
      const expected = { status: 422, code: 'VALIDATION_ERROR', details: ['discount_value_too_large'] };
      await expectNothingRecorded(face, till, () => till.reserve('CART-1', { points: 9_007_199.255 }), expected);
      const { body } = await till.reserve('CART-1', { points: 9_007_199.254 });
      expect(body).toMatchObject({ discount_value_minor: 9_007_199_254_000_000, duplicate: false });
    });
  });

  test('404 | customer not found', async () => {
    const till = await openTill(face, []);
    const answer = await till.reserve('CART-1', { points: 1, identifier: { loyalty_id: 'nowhere' } });
    expectRefusal(answer, { status: 404, code: 'CUSTOMER_NOT_FOUND' });
  });

  test.each<[string, Fields, RegExp]>([
    ['"at least one of points and amount_minor is present"', {}, /points and amount_minor/],
    ['gap: Which card | two value fields', { points: 1, amount_minor: 1 }, /points and amount_minor/],
    ['stamps are no value of a reservation', { stamps: 1 }, /points and amount_minor/],
    ['points | positive', { points: 0 }, /^points: /],
    ['points | at most 3 decimals', { points: 0.0001 }, /^points: /],
    ['amount_minor | positive', { amount_minor: -5 }, /^amount_minor: /],
    ['amount_minor | integer', { amount_minor: 0.5 }, /^amount_minor: /],
    ['currency | upper-case ISO 4217', { points: 1, currency: 'kwd' }, /^currency: /],
    ['gap: Reservations | ttl_minutes below 1', { points: 1, ttl_minutes: 0 }, /^ttl_minutes: /],
    ['gap: Reservations | ttl_minutes below 1', { points: 1, ttl_minutes: -15 }, /^ttl_minutes: /],
    ['ttl_minutes | integer', { points: 1, ttl_minutes: 1.5 }, /^ttl_minutes: /],
    ['ttl_minutes | integer', { points: 1, ttl_minutes: '15' }, /^ttl_minutes: /],
    ['external_ref | required', { points: 1, external_ref: undefined }, /^external_ref: /],
    ['external_ref | 1 to 255 characters', { points: 1, external_ref: '' }, /^external_ref: /],
    ['identifier | required', { points: 1, identifier: undefined }, /^identifier/],
    ['identifier | two', { points: 1, identifier: { phone: '+96555512345', email: 'a@b.co' } }, /^identifier/],
    ['card_id | string', { points: 1, card_id: 7 }, /^card_id: /],
  ])('400 | %s', async (_, fields, message) => {
    const till = await openTill(face, [rewardCard, cashbackCard]);
    const act = () => till.reserve('CART-1', fields);
    await expectNothingRecorded(face, till, act, { status: 400, code: 'VALIDATION_ERROR', message });
  });
});
