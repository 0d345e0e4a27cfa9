import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardsOf, earnAndApply, makeCustomer, type TestCustomer } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

describe.each(faces)('POST /transactions/earn, $name', ({ start }) => {
  let face: TestFace;
  let customer: TestCustomer;
  beforeEach(async () => {
    face = await start();
    customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
  });
  afterEach(() => face.close());

  const earn = (fields: object) =>
    face.post('/transactions/earn', { identifier: { customer_id: customer.customer_id }, ...fields });

  test('is answered at once with status pending, and applied after the delay', async () => {
    const accepted = await earn({ external_ref: 'R-1', amount_minor: 12500 });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({
      transaction_id: expect.stringMatching(/^txn_/),
      status: 'pending',
      duplicate: false,
    });
    const path = `/transactions/${accepted.body.transaction_id}`;
    const before = await face.get(path);
    expect(before.body).toMatchObject({ status: 'pending', new_balances: null, completed_at: null, error: null });
    expect((await cardsOf(face, customer))[0].balances.points).toBe(0);

    await face.advance(999);
    expect((await face.get(path)).body.status).toBe('processing');
    await face.advance(1);
    expect((await face.get(path)).body).toEqual({
      transaction_id: accepted.body.transaction_id,
      intent: 'earn',
      status: 'success',
      external_ref: 'R-1',
      customer_id: customer.customer_id,
      card_id: customer.cards[0]?.card_id,
      amount_minor: 12500,
      currency: 'KWD',
      points: null,
      stamps: null,
      visits: null,
      new_balances: {
        points: 12,
        cashback_minor: null,
        stamps: null,
        visits: null,
        rewards_available: 0,
        currency: null,
      },
      error: null,
      occurred_at: '2026-11-20T18:13:00.000Z',
      completed_at: '2026-11-20T18:13:01.000Z',
    });
    expect((await cardsOf(face, customer))[0].balances.points).toBe(12);
  });

  test('applies by itself while the clock runs', async () => {
    const accepted = await earn({ external_ref: 'R-1', amount_minor: 1000 });
    face.host.advance(1000);
    expect((await face.get(`/transactions/${accepted.body.transaction_id}`)).body.status).toBe('success');
  });

  test('apply_delay_ms 0 applies at the first look', async () => {
    await face.control('PATCH', '/settings', { apply_delay_ms: 0 });
    await face.control('POST', '/clock', { mode: 'manual' });
    const accepted = await earn({ external_ref: 'R-1', amount_minor: 1000 });
    expect(accepted.body.status).toBe('pending');
    expect((await face.get(`/transactions/${accepted.body.transaction_id}`)).body.status).toBe('success');
  });

  test('an amount beside a unit is only recorded', async () => {
    const applied = await earnAndApply(face, {
      identifier: { customer_id: customer.customer_id },
      external_ref: 'R-1',
      points: 2.125,
      amount_minor: 50000,
    });
    expect(applied).toMatchObject({ points: 2.125, amount_minor: 50000, currency: 'KWD' });
    expect(applied.new_balances.points).toBe(2.125);
  });

  test('occurred_at is taken with any offset and answered in UTC', async () => {
    const accepted = await earn({ external_ref: 'R-1', points: 1, occurred_at: '2026-11-20T20:00:00+03:00' });
    const read = await face.get(`/transactions/${accepted.body.transaction_id}`);
    expect(read.body.occurred_at).toBe('2026-11-20T17:00:00.000Z');
  });

  test.each([
    ['2026-11-20t18:00:00z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00:00.5z', '2026-11-20T18:00:00.500Z'],
    ['2026-11-20t21:00:00+03:00', '2026-11-20T18:00:00.000Z'],
  ])('gap: Money, time, ids | occurred_at %s: t and z in either case', async (sent, recorded) => {
    const accepted = await earn({ external_ref: 'R-1', points: 1, occurred_at: sent });
    const read = await face.get(`/transactions/${accepted.body.transaction_id}`);
    expect(read.body.occurred_at).toBe(recorded);
  });

  test('gap: Money, time, ids | a leap second is 400', async () => {
    const answer = await earn({ external_ref: 'R-1', points: 1, occurred_at: '2026-11-20T17:59:60Z' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toMatchObject([{ field: 'occurred_at' }]);
  });

  test('everything optional may be there', async () => {
    const answer = await earn({
      external_ref: 'R-1',
      card_id: customer.cards[0]?.card_id,
      amount_minor: 1,
      currency: 'KWD',
      branch_ref: 'salmiya',
      employee_ref: 'E-7',
      device_ref: 'till-2',
      metadata: { basket: [{ sku: '1', name: 'قهوة' }] },
      colour: 'unknown fields are ignored',
    });
    expect(answer.status).toBe(202);
  });

  test.each([
    ['at least one of amount_minor, points, stamps, visits', {}, /needs one of amount_minor, points, stamps, visits/],
    ['gap: Which card | two unit fields', { points: 1, stamps: 1 }, /must not have two of points, stamps, visits/],
    ['amount_minor | positive', { amount_minor: 0 }, /amount_minor: must be above zero/],
    ['amount_minor | positive', { amount_minor: -1 }, /amount_minor: must be above zero/],
    [
      'amount_minor | "decimals are never sent"',
      { amount_minor: 12.5 },
      /amount_minor: must be an integer in minor units/,
    ],
    ['amount_minor | integer', { amount_minor: '12500' }, /amount_minor: must be an integer in minor units/],
    ['points | at most 3 decimals', { points: 1.0001 }, /points: must have at most three decimals/],
    ['stamps | integer', { stamps: 0.5 }, /stamps: must be a whole number/],
    ['currency | upper-case', { amount_minor: 1, currency: 'kwd' }, /currency: must be three upper-case letters/],
    ['currency | ISO 4217', { amount_minor: 1, currency: 'ABC' }, /currency: is not a currency of ISO 4217/],
    ['occurred_at | date-time', { points: 1, occurred_at: '2026-11-20T18:00:00' }, /occurred_at: .*RFC 3339/],
    ['metadata | object', { points: 1, metadata: 'x' }, /metadata: must be an object/],
    ['metadata | up to 16 KiB', { points: 1, metadata: { x: 'x'.repeat(17_000) } }, /metadata: must be at most 16384/],
    ['external_ref | 1 to 255 characters', { points: 1, external_ref: '' }, /external_ref: must not be empty/],
    ['external_ref | required', { points: 1, external_ref: undefined }, /external_ref: is required/],
    ['identifier | required', { points: 1, identifier: undefined }, /identifier: is required/],
    [
      'identifier | exactly one',
      { points: 1, identifier: { phone: '99887766', email: 'a@b.co' } },
      /identifier: must have exactly one/,
    ],
    ['identifier.phone | any parseable format', { points: 1, identifier: { phone: 'x' } }, /identifier.phone: is not/],
    ['visits | integer', { visits: 1.5 }, /visits: must be a whole number/],
    ['points | number', { points: '5' }, /points: must be a number/],
    ['card_id | string', { points: 1, card_id: 5 }, /card_id: must be a string/],
    ['branch_ref | string', { points: 1, branch_ref: 5 }, /branch_ref: must be a string/],
    ['employee_ref | string', { points: 1, employee_ref: {} }, /employee_ref: must be a string/],
    ['device_ref | string', { points: 1, device_ref: null }, /device_ref: must be a string/],
  ])('400 | %s: names the field and records nothing', async (_, fields, words) => {
    const answer = await earn({ external_ref: 'R-1', ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(answer.body.error.message).toMatch(words);
    expect(answer.body.error.details[0]).toEqual({ field: expect.any(String), problem: expect.any(String) });
    expect((await face.get('/transactions?external_ref=R-1')).body.data).toEqual([]);
  });

  test('an unknown customer is 404, and the reference stays free', async () => {
    const refused = await earn({ external_ref: 'R-1', points: 1, identifier: { loyalty_id: 'nobody' } });
    expect(refused.status).toBe(404);
    expect(refused.body.error.code).toBe('CUSTOMER_NOT_FOUND');
    expect((await earn({ external_ref: 'R-1', points: 1 })).status).toBe(202);
  });

  test('a made failure shows as failed with its error, and moves no balance', async () => {
    const accepted = await earn({ external_ref: 'R-1', points: 5 });
    const path = `/transactions/${accepted.body.transaction_id}`;
    const planned = await face.control('POST', `${path}/fail`, { code: 'CARD_NOT_ELIGIBLE', message: 'Card closed' });
    expect(planned.status).toBe(200);
    await face.advance(1000);
    const failed = (await face.get(path)).body;
    expect(failed).toMatchObject({ status: 'failed', new_balances: null, completed_at: '2026-11-20T18:13:01.000Z' });
    expect(failed.error).toEqual({
      code: 'CARD_NOT_ELIGIBLE',
      message: 'Card closed',
      retryable: false,
      request_id: accepted.headers['x-request-id'],
    });
    expect((await cardsOf(face, customer))[0].balances.points).toBe(0);
    const again = await face.control('POST', `${path}/fail`, { code: 'INTERNAL' });
    expect(again.status).toBe(409);
  });

  test('a balance too large to count fails the transaction instead of losing digits', async () => {
    const [card] = (await makeCustomer(face, [{ template_id: 'tpl_membership', balances: { visits: 2 ** 53 - 2 } }]))
      .cards;
    const applied = await earnAndApply(face, {
      identifier: { loyalty_id: card?.loyalty_id },
      external_ref: 'R-big',
      visits: 5,
    });
    expect(applied).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR' } });
  });
});
