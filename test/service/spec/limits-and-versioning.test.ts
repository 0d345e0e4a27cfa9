import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardsOf, makeCustomer } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

const identifier = { loyalty_id: 'LC-1001' };

describe.each(faces)('Limits, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  test.each([
    ['1', 200],
    ['100', 200],
    ['0', 400],
    ['101', 400],
  ])('limit query parameter (pages) | integer 1 to 100: %s is %i', async (limit, status) => {
    const { customer_id } = (await face.post('/customers/identify', identifier)).body;
    expect((await face.get(`/customers/${customer_id}/transactions?limit=${limit}`)).status).toBe(status);
  });

  test('limit query parameter (pages) | default 25', async () => {
    const { customer_id } = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
    for (let sale = 0; sale < 26; sale += 1) {
      await face.post('/transactions/earn', { identifier: { customer_id }, external_ref: `R-${sale}`, points: 1 });
    }
    const { data, next_cursor } = (await face.get(`/customers/${customer_id}/transactions`)).body;
    expect(data).toHaveLength(25);
    expect(next_cursor).toEqual(expect.any(String));
  });

  test.each([
    [128, 202],
    [129, 400],
  ])('Idempotency-Key header | at most 128 characters: %i is %i', async (length, status) => {
    const body = { identifier, external_ref: 'R-1', points: 1 };
    expect((await face.post('/transactions/earn', body, { idempotencyKey: 'k'.repeat(length) })).status).toBe(status);
  });

  test.each([
    ['KWD', 202],
    ['kwd', 400],
    ['KW', 400],
    ['KWDD', 400],
  ])('currency field | exactly 3 characters, upper-case ISO 4217: %s is %i', async (currency, status) => {
    const body = { identifier, external_ref: 'R-1', amount_minor: 1000, currency };
    expect((await face.post('/transactions/earn', body)).status).toBe(status);
  });

  test('currency field | default KWD', async () => {
    const { body } = await face.post('/transactions/earn', { identifier, external_ref: 'R-1', amount_minor: 1000 });
    expect((await face.get(`/transactions/${body.transaction_id}`)).body.currency).toBe('KWD');
  });

  test.each([
    [1, '2026-11-20T18:14:00.000Z'],
    [120, '2026-11-20T20:13:00.000Z'],
    [121, '2026-11-20T20:13:00.000Z'],
    [1_000_000, '2026-11-20T20:13:00.000Z'],
  ])('ttl_minutes of a reservation | cap 120 minutes: %i', async (ttl, expiresAt) => {
    const body = { identifier, external_ref: 'C-1', points: 1, ttl_minutes: ttl };
    expect((await face.post('/redemptions/reserve', body)).body.expires_at).toBe(expiresAt);
  });

  test('Amounts | integers in minor units only: 12.500 KWD is 12500, of 2 and of 0 decimals as well', async () => {
    const currencies = [
      ['KWD', 12_500],
      ['USD', 1250],
      ['JPY', 1250],
    ] as const;
    for (const [currency, amount] of currencies) {
      const customer = await makeCustomer(face, [{ template_id: 'tpl_cashback', balances: { currency } }]);
      const id = { customer_id: customer.customer_id };
      await face.post('/transactions/earn', {
        identifier: id,
        external_ref: `R-${currency}`,
        amount_minor: amount,
        currency,
      });
      await face.advance(1000);
      expect((await cardsOf(face, customer))[0].balances).toMatchObject({
        cashback_minor: Math.floor(amount / 20),
        currency,
      });
    }
    for (const amount of [12.5, '12500', 1e300]) {
      expect(
        (await face.post('/transactions/earn', { identifier, external_ref: 'R-x', amount_minor: amount })).status,
      ).toBe(400);
    }
  });

  test('Versioning | the interface version is 1.0.0 and the paths carry a version segment v1', async () => {
    const { body } = await face.control('GET', '/');
    expect(body.version).toBe('1.0.0');
    expect(new URL(body.base_url).pathname).toBe('/v1');
    const other = await face.dispatcher.request({
      origin: face.origin,
      method: 'GET',
      path: '/v2/transactions',
      headers: { authorization: `Bearer ${face.service.apiKey}` },
    });
    expect(other.statusCode).toBe(404);
    await other.body.dump();
  });
});
