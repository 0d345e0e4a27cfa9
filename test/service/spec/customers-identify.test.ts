import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

describe.each(faces)('POST /customers/identify, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  test.each([
    ['a card number', { loyalty_id: 'LC-1001' }],
    ['a phone in E.164', { phone: '+96599887766' }],
    ['a phone as it is written at home', { phone: '9988 7766' }],
    ['a phone in Arabic digits', { phone: '٩٩٨٨٧٧٦٦' }],
    ['an e-mail', { email: 'fatima.alsabah@example.com' }],
    ['an e-mail in another case', { email: 'Fatima.AlSabah@Example.com' }],
    ["the partner's own id", { external_id: 'crm-1001' }],
    ["the service's id", { customer_id: 'cus_01JDEM00000000000000000001' }],
  ])('finds a customer by %s', async (_, identifier) => {
    const answer = await face.post('/customers/identify', identifier);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      customer_id: 'cus_01JDEM00000000000000000001',
      name: 'Fatima Al-Sabah',
      phone: '+96599887766',
      email: 'fatima.alsabah@example.com',
      verified: true,
      balances_as_of: '2026-11-20T18:13:00.000Z',
      cards: [
        {
          card_id: 'card_01JDEM00000000000000000001',
          template_name: 'Rewards club',
          card_type: 7,
          balances: {
            points: 245.5,
            cashback_minor: null,
            stamps: null,
            visits: null,
            rewards_available: 2,
            currency: null,
          },
          available_rewards: [
            { reward_id: 'rwd_coffee', name: 'Free coffee' },
            { reward_id: 'rwd_cake', name: 'Free cake' },
            { reward_id: 'rwd_voucher', name: '1.000 KWD voucher' },
          ],
          allowed_operations: ['earn_amount', 'earn_points', 'redeem_points', 'redeem_reward'],
        },
      ],
    });
  });

  test('nullable fields carry null instead of being left out', async () => {
    const customer = await makeCustomer(face, []);
    const answer = await face.post('/customers/identify', { customer_id: customer.customer_id });
    expect(answer.body).toMatchObject({ name: null, phone: null, email: null, verified: false, cards: [] });
  });

  test.each([
    ['card number', { loyalty_id: 'LC-9999' }],
    ['phone', { phone: '+96599000000' }],
    ['e-mail', { email: 'nobody@example.com' }],
    ["partner's id", { external_id: 'nobody' }],
    ["service's id", { customer_id: 'cus_nobody' }],
  ])('a %s that nobody has is 404 CUSTOMER_NOT_FOUND', async (_, identifier) => {
    const answer = await face.post('/customers/identify', identifier);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({ code: 'CUSTOMER_NOT_FOUND', retryable: false });
  });

  test.each([
    ['an unknown field', { loyaltyid: 'LC-1001' }, 'loyaltyid: is not a known field'],
    ['an unknown field beside a known one', { loyalty_id: 'LC-1001', pin: 1 }, 'pin: is not a known field'],
    ['the wrong type', { phone: 5 }, 'phone: must be a string'],
    ['half a character', { external_id: '\ud83d' }, 'external_id: must be well-formed Unicode'],
    ['a control character', { external_id: 'a\u0007' }, 'external_id: must not hold control characters'],
    ['none', {}, 'must have exactly one of loyalty_id, phone, email, external_id, customer_id'],
  ])('400 with one complaint: %s', async (_, identifier, words) => {
    const whole = await face.post('/customers/identify', identifier);
    expect(whole.body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: words });
    const inside = await face.post('/transactions/earn', { identifier, external_ref: 'R-1', points: 1 });
    expect(inside.body.error.message).toBe(
      Object.keys(identifier).length === 0 ? `identifier: ${words}` : `identifier.${words}`,
    );
  });

  test("another partner's own ids are its own", async () => {
    const { body: other } = await face.control('POST', '/keys', { source: 'web-shop' });
    const answer = await face.post('/customers/identify', { external_id: 'crm-1001' }, { key: other.key });
    expect(answer.status).toBe(404);
  });

  test.each([
    ['two fields', { phone: '+96599887766', loyalty_id: 'LC-1001' }, /exactly one/],
    ['no field', {}, /exactly one/],
    ['an unknown field beside a good one', { phone: '+96599887766', card: 'x' }, /card/],
    ['an empty value', { loyalty_id: '' }, /loyalty_id: must not be empty/],
    ['a null value', { loyalty_id: null }, /loyalty_id: must be a string/],
    ['a number', { loyalty_id: 1001 }, /loyalty_id: must be a string/],
    ['256 characters', { loyalty_id: 'x'.repeat(256) }, /loyalty_id: .*255/],
    ['a phone that is none', { phone: 'call me' }, /phone: is not a phone number/],
    ['a phone that is too short for its region', { phone: '+96512' }, /phone: is not a phone number/],
    ['an e-mail that is none', { email: 'fatima' }, /email: must be an e-mail address/],
    ['an array', [], /must be an object/],
  ])('%s is 400 and says which field', async (_, identifier, words) => {
    const answer = await face.post('/customers/identify', identifier);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    expect(answer.body.error.message).toMatch(words);
  });

  test('a phone is accepted when it is possible for its region, though its range is not known', async () => {
    const answer = await face.post('/customers/identify', { phone: '+96511111111' });
    expect(answer.status).toBe(404);
  });

  test('the default region follows the setting', async () => {
    const customer = await makeCustomer(face, [], { phone: '+12025550188' });
    await face.control('PATCH', '/settings', { default_region: 'US' });
    const answer = await face.post('/customers/identify', { phone: '(202) 555-0188' });
    expect(answer.body.customer_id).toBe(customer.customer_id);
  });
});
