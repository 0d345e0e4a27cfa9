import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestCard } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { expectNothingRecorded, expectRefusal, type Fields, openTill, type Till } from './till.ts';

/** A full card of each template: whatever it can ever offer, it offers. */
const fullCards: readonly TestCard[] = [
  { template_id: 'tpl_stamp', balances: { stamps: 9, rewards_available: 5 } },
  { template_id: 'tpl_cashback', balances: { cashback_minor: 9000 } },
  { template_id: 'tpl_subscription', balances: { visits: 9 } },
  { template_id: 'tpl_coupon' },
  { template_id: 'tpl_discount', balances: { visits: 9 } },
  { template_id: 'tpl_certificate', balances: { cashback_minor: 9000 } },
  { template_id: 'tpl_membership', balances: { visits: 9 } },
  { template_id: 'tpl_reward', balances: { points: 900 } },
];

const kinds: readonly { readonly kind: string; readonly fields: Fields; readonly offeredBy: readonly string[] }[] = [
  { kind: 'points', fields: { points: 1 }, offeredBy: ['tpl_reward'] },
  { kind: 'amount_minor', fields: { amount_minor: 1 }, offeredBy: ['tpl_cashback', 'tpl_certificate'] },
  { kind: 'stamps', fields: { stamps: 1 }, offeredBy: ['tpl_stamp'] },
  { kind: 'visits', fields: { visits: 1 }, offeredBy: ['tpl_subscription', 'tpl_membership'] },
  { kind: 'coupon_code', fields: { coupon_code: 'card' }, offeredBy: ['tpl_coupon'] },
  { kind: 'reward', fields: { reward: true }, offeredBy: ['tpl_stamp'] },
  { kind: 'reward of a choice', fields: { reward: true, reward_id: 'rwd_cake' }, offeredBy: ['tpl_reward'] },
];

const everyCell = kinds.flatMap((kind) => fullCards.map((card) => ({ ...kind, card, template: card.template_id })));
const notOffered = everyCell.filter(({ offeredBy, template }) => !offeredBy.includes(template));
const offered = everyCell.filter(({ offeredBy, template }) => offeredBy.includes(template));

const values: readonly (readonly [string, unknown])[] = [
  ['points', 1],
  ['amount_minor', 1],
  ['stamps', 1],
  ['visits', 1],
  ['coupon_code', 'c'],
  ['reward', true],
];
const pairs = values.flatMap(([one, first], index) =>
  values.slice(index + 1).map(([other, second]) => ({ one, other, fields: { [one]: first, [other]: second } })),
);

describe.each(faces)('POST /transactions/redeem: refusals, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const withCode = (till: Till, fields: Fields) =>
    fields.coupon_code === 'card' ? { ...fields, coupon_code: till.cardId() } : fields;
  const points = (amount: number) => ({ template_id: 'tpl_reward', balances: { points: amount } });

  describe('"an operation that is not in the list is refused by the service"', () => {
    test.each(notOffered)('$kind on $template: 422 CARD_NOT_ELIGIBLE', async ({ card, fields }) => {
      const till = await openTill(face, [card]);
      const act = () => till.redeem('R-1', withCode(till, fields));
      await expectNothingRecorded(face, till, act, { status: 422, code: 'CARD_NOT_ELIGIBLE' });
    });

    test.each(offered)('$kind on a suspended $template: 422 CARD_NOT_ELIGIBLE', async ({ card, fields }) => {
      const till = await openTill(face, [{ ...card, suspended: true }]);
      const act = () => till.redeem('R-1', withCode(till, fields));
      await expectNothingRecorded(face, till, act, { status: 422, code: 'CARD_NOT_ELIGIBLE' });
      await face.control('POST', `/cards/${till.cardId()}/resume`);
      expect((await act()).body).toMatchObject({ status: 'success', duplicate: false });
    });

    const emptied = offered.filter(({ template }) => template !== 'tpl_coupon');
    test.each(emptied)('$kind on an empty $template: 422 CARD_NOT_ELIGIBLE', async ({ template, fields }) => {
      const till = await openTill(face, [{ template_id: template }]);
      const act = () => till.redeem('R-1', fields);
      await expectNothingRecorded(face, till, act, { status: 422, code: 'CARD_NOT_ELIGIBLE' });
    });

    test.each(kinds)(
      'gap: Cards, templates, mechanics | $kind on tpl_unknown: TEMPLATE_MECHANICS_UNKNOWN',
      async ({ fields }) => {
        const till = await openTill(face, [{ template_id: 'tpl_unknown' }]);
        const expected = { status: 422, code: 'TEMPLATE_MECHANICS_UNKNOWN' };
        await expectNothingRecorded(face, till, () => till.redeem('R-1', withCode(till, fields)), expected);
        const named = { ...withCode(till, fields), card_id: till.cardId() };
        expectRefusal(await till.redeem('R-1', named), expected);
      },
    );

    test('a reward below its price is not offered: 99.999 points', async () => {
      const till = await openTill(face, [points(99.999)]);
      const act = () => till.redeem('R-1', { reward: true, reward_id: 'rwd_cake' });
      await expectNothingRecorded(face, till, act, { status: 422, code: 'CARD_NOT_ELIGIBLE' });
    });
  });

  describe('422 | INSUFFICIENT_BALANCE', () => {
    test.each([
      ['points', points(245.5), { points: 245.501 }],
      ['amount_minor', { template_id: 'tpl_cashback', balances: { cashback_minor: 1250 } }, { amount_minor: 1251 }],
      ['amount_minor', { template_id: 'tpl_certificate', balances: { cashback_minor: 1 } }, { amount_minor: 2 }],
      ['stamps', { template_id: 'tpl_stamp', balances: { stamps: 7 } }, { stamps: 8 }],
      ['visits', { template_id: 'tpl_subscription', balances: { visits: 2 } }, { visits: 3 }],
      ['visits', { template_id: 'tpl_membership', balances: { visits: 2 } }, { visits: 3 }],
    ])('%s: one more than the card holds', async (_, card, fields) => {
      const till = await openTill(face, [card]);
      const expected = { status: 422, code: 'INSUFFICIENT_BALANCE' };
      await expectNothingRecorded(face, till, () => till.redeem('R-1', fields), expected);
    });

    test('gap: Transactions | a refused write leaves its external_ref free', async () => {
      const till = await openTill(face, [points(10)]);
      expectRefusal(await till.redeem('R-1', { points: 11 }), { status: 422, code: 'INSUFFICIENT_BALANCE' });
      expect((await till.redeem('R-1', { points: 10 })).body).toMatchObject({ duplicate: false, points: 10 });
    });
  });

  describe('409 | coupon already redeemed | COUPON_ALREADY_REDEEMED', () => {
    const used = { status: 409, code: 'COUPON_ALREADY_REDEEMED' };

    test('under another reference, by customer, by card number, and with the card named', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_coupon', loyalty_id: 'LC-77' }]);
      const code = { coupon_code: till.cardId() };
      await till.redeem('R-1', code);
      await expectNothingRecorded(face, till, () => till.redeem('R-2', code), used);
      expectRefusal(await till.redeem('R-2', { ...code, identifier: { loyalty_id: 'LC-77' } }), used);
      expectRefusal(await till.redeem('R-2', { ...code, card_id: till.cardId() }), used);
    });

    test('gap: Which card | told before eligibility: also of a suspended coupon', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_coupon' }]);
      await till.redeem('R-1', { coupon_code: till.cardId() });
      await face.control('POST', `/cards/${till.cardId()}/suspend`);
      expectRefusal(await till.redeem('R-2', { coupon_code: till.cardId() }), used);
    });

    test("another customer's coupon is 422 CARD_NOT_ELIGIBLE, and so is a code that nobody made", async () => {
      const owner = await openTill(face, [{ template_id: 'tpl_coupon' }]);
      const till = await openTill(face, [{ template_id: 'tpl_coupon' }]);
      for (const code of [owner.cardId(), 'card_nowhere']) {
        const act = () => till.redeem('R-1', { coupon_code: code });
        await expectNothingRecorded(face, till, act, { status: 422, code: 'CARD_NOT_ELIGIBLE' });
      }
      expect((await owner.balances()).rewards_available).toBe(1);
    });

    test('one of two coupons is redeemed: the other one still is whole', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_coupon' }, { template_id: 'tpl_coupon' }]);
      await till.redeem('R-1', { coupon_code: till.cardId(0) });
      expectRefusal(await till.redeem('R-2', { coupon_code: till.cardId(0) }), used);
      expect((await till.redeem('R-2', { coupon_code: till.cardId(1) })).body.card_id).toBe(till.cardId(1));
    });
  });

  describe('gap: Which card', () => {
    const notEligible = { status: 422, code: 'CARD_NOT_ELIGIBLE' };

    test('1. card_id named: that card and no other', async () => {
      const till = await openTill(face, [points(50), points(70)]);
      const answer = await till.redeem('R-1', { points: 20, card_id: till.cardId(1) });
      expect(answer.body).toMatchObject({ card_id: till.cardId(1), new_balances: { points: 50 } });
      expect((await till.balances(0)).points).toBe(50);
    });

    test('1. card_id named: it goes before the scanned card', async () => {
      const till = await openTill(face, [{ ...points(50), loyalty_id: 'LC-77' }, points(70)]);
      const fields = { points: 20, card_id: till.cardId(1), identifier: { loyalty_id: 'LC-77' } };
      expect((await till.redeem('R-1', fields)).body.card_id).toBe(till.cardId(1));
    });

    test('1. card_id named: not the customer’s, unknown, or without the operation is 422', async () => {
      const owner = await openTill(face, [points(50)]);
      const till = await openTill(face, [points(50), { template_id: 'tpl_stamp', balances: { stamps: 5 } }]);
      for (const cardId of [owner.cardId(), 'card_nowhere', till.cardId(1)]) {
        const act = () => till.redeem('R-1', { points: 1, card_id: cardId });
        await expectNothingRecorded(face, till, act, notEligible);
      }
      expect((await owner.balances()).points).toBe(50);
    });

    test('2. a loyalty_id is that very card; one that lacks the operation is 422: no other card is tried', async () => {
      const cards = [{ ...points(50), loyalty_id: 'LC-77' }, points(70), { template_id: 'tpl_stamp', loyalty_id: 'S' }];
      const till = await openTill(face, cards);
      const scanned = await till.redeem('R-1', { points: 20, identifier: { loyalty_id: 'LC-77' } });
      expect(scanned.body.card_id).toBe(till.cardId(0));
      const act = () => till.redeem('R-2', { points: 20, identifier: { loyalty_id: 'S' } });
      await expectNothingRecorded(face, till, act, notEligible);
    });

    test('3. exactly one eligible card is picked', async () => {
      const till = await openTill(face, [points(0), { template_id: 'tpl_stamp' }, points(70)]);
      expect((await till.redeem('R-1', { points: 20 })).body.card_id).toBe(till.cardId(2));
    });

    test('3. none is 422, also for a customer without cards', async () => {
      const till = await openTill(face, []);
      await expectNothingRecorded(face, till, () => till.redeem('R-1', { points: 1 }), notEligible);
    });

    test.each([
      ['points', [points(1), points(2)], { points: 1 }],
      ['amount_minor', [fullCards[1], fullCards[5]], { amount_minor: 1 }],
      ['visits', [fullCards[2], fullCards[6]], { visits: 1 }],
      ['reward', [fullCards[0], fullCards[7]], { reward: true, reward_id: 'rwd_cake' }],
    ])('3. several are 422 with details card_id_required (%s)', async (_, cards, fields) => {
      const till = await openTill(
        face,
        cards.filter((card) => card !== undefined),
      );
      const expected = { ...notEligible, details: ['card_id_required'] };
      await expectNothingRecorded(face, till, () => till.redeem('R-1', fields), expected);
      const named = await till.redeem('R-1', { ...fields, card_id: till.cardId(1) });
      expect(named.body).toMatchObject({ card_id: till.cardId(1), duplicate: false });
    });

    test('a missing reward choice is 422 with details reward_id_required; a reward the card lacks is 422', async () => {
      const till = await openTill(face, [points(150)]);
      const missing = { ...notEligible, details: ['reward_id_required'] };
      await expectNothingRecorded(face, till, () => till.redeem('R-1', { reward: true }), missing);
      const act = () => till.redeem('R-1', { reward: true, reward_id: 'rwd_yacht' });
      await expectNothingRecorded(face, till, act, { ...notEligible, details: ['reward_id_unknown'] });
    });

    test('a card that earns whole rewards has none to choose from: a reward_id is none of its', async () => {
      const till = await openTill(face, [{ template_id: 'tpl_stamp', balances: { rewards_available: 1 } }]);
      for (const reward_id of ['rwd_yacht', 'rwd_cake']) {
        const act = () => till.redeem('R-1', { reward: true, reward_id });
        await expectNothingRecorded(face, till, act, { ...notEligible, details: ['reward_id_unknown'] });
      }
      expect((await till.redeem('R-1', { reward: true })).status).toBe(200);
    });

    test.each([
      ['a card in KWD', { template_id: 'tpl_cashback', balances: { cashback_minor: 500 } }, { amount_minor: 1 }, 'USD'],
      [
        'a card in USD',
        { template_id: 'tpl_cashback', balances: { cashback_minor: 500, currency: 'USD' } },
        { amount_minor: 1 },
        'KWD',
      ],
    ])('a currency other than that of %s is 422 with details currency_mismatch', async (_, card, fields, currency) => {
      const till = await openTill(face, [card]);
      const act = () => till.redeem('R-1', { ...fields, currency });
      await expectNothingRecorded(face, till, act, { ...notEligible, details: ['currency_mismatch'] });
    });
  });

  describe('404 | customer not found | CUSTOMER_NOT_FOUND', () => {
    test.each([
      { loyalty_id: 'nowhere' },
      { phone: '+96555500000' },
      { email: 'nobody@example.com' },
      { external_id: 'nobody' },
      { customer_id: 'cus_nobody' },
    ])('%o', async (identifier) => {
      const till = await openTill(face, []);
      expectRefusal(await till.redeem('R-1', { identifier, points: 1 }), { status: 404, code: 'CUSTOMER_NOT_FOUND' });
      expect(await till.byReference('R-1')).toEqual([]);
    });
  });

  describe('400 | malformed request | VALIDATION_ERROR', () => {
    const malformed = async (fields: Fields, message: RegExp) => {
      const till = await openTill(face, fullCards);
      const act = () => till.redeem('R-1', fields);
      await expectNothingRecorded(face, till, act, { status: 400, code: 'VALIDATION_ERROR', message });
    };

    test('"at least one of points, amount_minor, stamps, visits, coupon_code, reward is present"', () =>
      malformed({}, /points, amount_minor, stamps, visits, coupon_code, reward/));

    test.each(pairs)('gap: Which card | two value fields: $one and $other', ({ fields }) =>
      malformed(fields, /exactly/),
    );

    test.each<[string, Fields, RegExp]>([
      ['reward | only true allowed', { reward: false }, /^reward: /],
      ['reward | only true allowed', { reward: 'true' }, /^reward: /],
      ['points | positive', { points: 0 }, /^points: /],
      ['points | positive', { points: -1 }, /^points: /],
      ['points | at most 3 decimals', { points: 1.0001 }, /^points: /],
      ['points | number', { points: '5' }, /^points: /],
      ['amount_minor | positive', { amount_minor: 0 }, /^amount_minor: /],
      ['amount_minor | positive', { amount_minor: -1250 }, /^amount_minor: /],
      ['amount_minor | "decimals are never sent"', { amount_minor: 12.5 }, /^amount_minor: /],
      ['amount_minor | integer', { amount_minor: '1250' }, /^amount_minor: /],
      ['stamps | positive', { stamps: 0 }, /^stamps: /],
      ['stamps | integer', { stamps: 1.5 }, /^stamps: /],
      ['visits | positive', { visits: -2 }, /^visits: /],
      ['visits | integer', { visits: 0.5 }, /^visits: /],
      ['coupon_code | string', { coupon_code: 17 }, /^coupon_code: /],
      ['coupon_code | 1 to 255 characters', { coupon_code: '' }, /^coupon_code: /],
      ['reward_id | string', { reward: true, reward_id: 5 }, /^reward_id: /],
      ['currency | 3 chars', { points: 1, currency: 'KD' }, /^currency: /],
      ['currency | upper-case', { points: 1, currency: 'kwd' }, /^currency: /],
      ['currency | ISO 4217', { points: 1, currency: 'QQQ' }, /^currency: /],
      ['external_ref | required', { points: 1, external_ref: undefined }, /^external_ref: /],
      ['external_ref | string', { points: 1, external_ref: 5 }, /^external_ref: /],
      ['external_ref | 1 to 255 characters', { points: 1, external_ref: '' }, /^external_ref: /],
      ['external_ref | 1 to 255 characters', { points: 1, external_ref: 'r'.repeat(256) }, /^external_ref: /],
      ['card_id | string', { points: 1, card_id: null }, /^card_id: /],
      ['identifier | required', { points: 1, identifier: undefined }, /^identifier/],
      ['identifier | none', { points: 1, identifier: {} }, /^identifier/],
      [
        'identifier | two: never resolved by choosing one',
        { points: 1, identifier: { loyalty_id: 'LC-1001', customer_id: 'cus_1' } },
        /^identifier/,
      ],
      ['identifier | a field it does not have', { points: 1, identifier: { card: 'LC-1001' } }, /^identifier/],
      ['identifier.phone | not a phone number', { points: 1, identifier: { phone: 'hello' } }, /^identifier\.phone: /],
    ])('%s', (_, fields, message) => malformed(fields, message));
  });
});
