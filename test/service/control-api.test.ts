import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { templates } from '../../app/service/rules/templates.ts';
import { makeCustomer } from '../support/service-customers.ts';
import { faces, type TestFace } from '../support/service-faces.ts';

describe.each(faces)('the control API, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const expectRefused = (answer: { status: number; body: { error: { message: string } } }, words: RegExp) => {
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(answer.body.error.message).toMatch(words);
  };

  test('asks for the same key, answers 404 and 405 like the service', async () => {
    expect((await face.control('GET', '/', undefined, { key: null })).status).toBe(401);
    expect((await face.control('GET', '/', undefined, { key: 'loyalty_pk_test_nobody' })).status).toBe(401);
    expect((await face.control('GET', '/nowhere')).status).toBe(404);
    const wrong = await face.control('DELETE', '/settings');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.allow).toBe('GET, PATCH');
  });

  test('revoking the demo key shuts the service and not the control API', async () => {
    await face.control('DELETE', `/keys/${face.service.apiKey}`);
    expect((await face.get('/transactions?external_ref=R-1')).status).toBe(401);
    expect((await face.control('GET', '/')).status).toBe(200);
    expect((await face.control('DELETE', '/keys/loyalty_pk_test_nobody')).status).toBe(404);
  });

  test('GET / tells what a tester needs to start, with and without the closing slash', async () => {
    const { body } = await face.control('GET', '/');
    expect((await face.control('GET', '')).body).toEqual(body);
    expect(body).toMatchObject({
      version: '1.0.0',
      now: '2026-11-20T18:13:00.000Z',
      clock: 'real',
      base_url: `${face.origin}/v1`,
      settings: { currency: 'KWD', apply_delay_ms: 1000 },
    });
    const cards = body.customers.flatMap((customer: { cards: object[] }) => customer.cards);
    const shown = new Set(cards.map((card: { template_id: string }) => card.template_id));
    expect(shown).toEqual(new Set(templates.map((template) => template.template_id)));
    for (const card of cards) expect(card).toMatchObject({ loyalty_id: expect.stringMatching(/^LC-\d{4}$/) });
    const twoEarns = body.customers.filter(
      (customer: { cards: { allowed_operations: string[] }[] }) =>
        customer.cards.filter((card) => card.allowed_operations.includes('earn_amount')).length > 1,
    );
    expect(twoEarns).toHaveLength(1);
  });

  test.each([
    ['GET', '/?foo=1', undefined, 'foo'],
    ['GET', '/settings?verbose=yes', undefined, 'verbose'],
    ['GET', '/openapi.json?v=2', undefined, 'v'],
    ['GET', '/faults?limit=1', undefined, 'limit'],
    ['GET', '/settings', { currency: 'KWD' }, 'currency'],
    ['GET', '/otp/enr_1?all=1', undefined, 'all'],
    ['PATCH', '/settings?suspended=true', {}, 'suspended'],
    ['PATCH', '/settings', JSON.parse('{"__proto__":{"suspended":true}}'), '__proto__'],
    ['PATCH', '/settings', JSON.parse('{"otp":{"__proto__":{"max_attempts":1}}}'), 'otp.__proto__'],
    ['POST', '/reset?fixtures=empty', undefined, 'fixtures'],
    ['POST', '/reset', JSON.parse('{"__proto__":1}'), '__proto__'],
    ['POST', '/clock?advance_ms=5', { advance_ms: 1 }, 'advance_ms'],
    ['POST', '/customers?name=x', {}, 'name'],
    ['POST', '/faults?times=1', { effect: { type: 'offline' } }, 'times'],
    ['DELETE', '/faults?id=flt_1', undefined, 'id'],
    ['DELETE', '/faults', { id: 'flt_1' }, 'id'],
    ['POST', '/transactions/txn_1/fail?code=INTERNAL', { code: 'INTERNAL' }, 'code'],
    ['GET', '/requests?limit=1&since=2', undefined, 'since'],
    ['GET', '/requests', { limit: 1 }, 'limit'],
    ['POST', '/keys?source=x', {}, 'source'],
    ['DELETE', '/keys/nobody', { reason: 'lost' }, 'reason'],
    ['POST', '/cards/card_1/suspend', { until: 'tomorrow' }, 'until'],
    ['POST', '/cards/card_1/resume?now=1', undefined, 'now'],
  ])('%s %s with %o is 400, names the field and does nothing', async (method, path, body, field) => {
    const before = (await face.control('GET', '/')).body;
    const answer = await face.control(method, path, body);
    expectRefused(answer, new RegExp(`^${field.replaceAll('.', '\\.')}: is not a known (field|setting)$`));
    expect((await face.control('GET', '/')).body).toEqual(before);
    expect((await face.control('GET', '/faults')).body.data).toEqual([]);
  });

  test.each([
    ['POST', '/reset'],
    ['POST', '/clock'],
    ['POST', '/keys'],
    ['POST', '/customers'],
    ['PATCH', '/settings'],
    ['DELETE', '/faults'],
    ['POST', '/cards/card_1/suspend'],
  ])('%s %s with a body of null, or of a list, is 400', async (method, path) => {
    for (const body of [null, []]) expectRefused(await face.control(method, path, body), /^must be an object$/);
  });

  test.each(['0x2', '1e1', '%205', '5.0', '-1', '+5', ''])('GET /requests?limit=%s is 400', async (limit) => {
    expectRefused(await face.control('GET', `/requests?limit=${limit}`), /^limit: must be a whole number/);
  });

  describe('settings', () => {
    test('start as the defaults', async () => {
      expect((await face.control('GET', '/settings')).body).toEqual({
        currency: 'KWD',
        default_region: 'KW',
        apply_delay_ms: 1000,
        offline_window_hours: 72,
        future_tolerance_seconds: 300,
        reservation_ttl_minutes: 15,
        otp: { ttl_seconds: 300, max_attempts: 5, cooling_off_seconds: 60, send_budget: 3 },
        rate_limit: null,
        conversion: null,
        default_template_id: 'tpl_reward',
        suspended: false,
      });
    });

    test('are merged deeply, and null clears', async () => {
      const changed = await face.control('PATCH', '/settings', {
        apply_delay_ms: 5,
        otp: { max_attempts: 1 },
        conversion: { minor_per_point: 10 },
        default_template_id: null,
      });
      expect(changed.body).toMatchObject({
        apply_delay_ms: 5,
        otp: { ttl_seconds: 300, max_attempts: 1, cooling_off_seconds: 60, send_budget: 3 },
        conversion: { minor_per_point: 10 },
        default_template_id: null,
      });
      const cleared = await face.control('PATCH', '/settings', { conversion: null, apply_delay_ms: null });
      expect(cleared.body).toMatchObject({ conversion: null, apply_delay_ms: 1000, otp: { max_attempts: 1 } });
      expect((await face.control('GET', '/settings')).body).toEqual(cleared.body);
    });

    test.each([
      [{ colour: 'red' }, /colour: is not a known setting/],
      [{ otp: { digits: 4 } }, /otp.digits: is not a known field/],
      [{ apply_delay_ms: -1 }, /apply_delay_ms: must be at least 0/],
      [{ apply_delay_ms: '5' }, /apply_delay_ms: must be a (number|whole number)/],
      [{ currency: 'kwd' }, /currency: must be three upper-case letters/],
      [{ default_region: 'Kuwait' }, /default_region: must be a region/],
      [{ default_template_id: 'tpl_none' }, /default_template_id: is not a template/],
      [{ rate_limit: { requests: 5 } }, /rate_limit.per_seconds: is required/],
      [{ reservation_ttl_minutes: 121 }, /reservation_ttl_minutes: must be at most 120/],
      [{ suspended: 'yes' }, /suspended: must be a boolean/],
      [[], /must be an object/],
    ])('%o is 400, names the field and changes nothing', async (changes, words) => {
      const before = (await face.control('GET', '/settings')).body;
      expectRefused(await face.control('PATCH', '/settings', changes), words);
      expect((await face.control('GET', '/settings')).body).toEqual(before);
    });
  });

  describe('customers', () => {
    test('are made at once, with everything said of them', async () => {
      const made = await face.control('POST', '/customers', {
        name: 'Test Person',
        phone: '5000 9999',
        email: 'Test.Person@Example.com',
        external_id: 'crm-9',
        verified: true,
        cards: [
          { template_id: 'tpl_cashback', balances: { cashback_minor: 500, currency: 'USD' }, loyalty_id: 'LC-777' },
          { template_id: 'tpl_stamp', suspended: true, balances: null, loyalty_id: null },
        ],
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        customer_id: expect.stringMatching(/^cus_/),
        name: 'Test Person',
        phone: '+96550009999',
        email: 'test.person@example.com',
        external_id: 'crm-9',
        verified: true,
        cards: [
          { loyalty_id: 'LC-777', balances: { cashback_minor: 500, currency: 'USD' }, suspended: false },
          { loyalty_id: expect.stringMatching(/^LC-\d{8}$/), allowed_operations: [], suspended: true },
        ],
      });
      const found = await face.post('/customers/identify', { external_id: 'crm-9' });
      expect(found.body.customer_id).toBe(made.body.customer_id);
    });

    test('null counts as absent', async () => {
      const made = await face.control('POST', '/customers', { name: null, phone: null, email: null, cards: null });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ name: null, phone: null, external_id: null, cards: [] });
    });

    test.each([
      [{ phone: '+96599887766' }, /phone: already belongs to a customer/],
      [{ email: 'FATIMA.alsabah@example.com' }, /email: already belongs to a customer/],
      [{ external_id: 'crm-1001' }, /external_id: already belongs to a customer/],
      [{ phone: 'x' }, /phone: is not a phone number/],
      [{ colour: 'red' }, /colour: is not a known field/],
      [{ cards: Array(51).fill({ template_id: 'tpl_reward' }) }, /cards: must have at most 50 entries/],
      [{ cards: [{ template_id: 'tpl_none' }] }, /cards.0.template_id: is not a template/],
      [{ cards: [{ template_id: 'tpl_stamp', loyalty_id: 'LC-1001' }] }, /cards.0.loyalty_id: already belongs/],
      [{ cards: [{ template_id: 'tpl_stamp', balances: { points: 1 } }] }, /cards.0.balances.points: is nothing/],
      [{ cards: [{ template_id: 'tpl_stamp', balances: { stamps: -1 } }] }, /cards.0.balances.stamps: must be at/],
      [{ cards: [{ template_id: 'tpl_reward', balances: { rewards_available: 1 } }] }, /rewards_available: is counted/],
      [{ cards: [{ template_id: 'tpl_coupon', balances: { rewards_available: 2 } }] }, /rewards_available: must be 1/],
      [{ cards: [{ template_id: 'tpl_stamp', balances: { currency: 'KWD' } }] }, /balances.currency: is nothing/],
      [{ cards: [{ template_id: 'tpl_unknown', balances: { visits: 1 } }] }, /balances.visits: is nothing/],
      [{ cards: [{ template_id: 'tpl_reward', balances: { points: 1.2345 } }] }, /points: must have at most three/],
      [{ cards: [{ template_id: 'tpl_reward', balances: { points: 1e13 } }] }, /points: is too large/],
      [{ cards: [{ template_id: 'tpl_stamp', balances: { stamps: 25 } }] }, /stamps: must be below 10.*rewards_avail/],
      [{ cards: [{ template_id: 'tpl_stamp', balances: { stamps: 10 } }] }, /stamps: must be below 10/],
    ])('%o is 400 and makes nobody', async (body, words) => {
      const before = (await face.control('GET', '/')).body.customers.length;
      expectRefused(await face.control('POST', '/customers', body), words);
      expect((await face.control('GET', '/')).body.customers).toHaveLength(before);
    });
  });

  describe('reset', () => {
    test('goes back to the demo customers, default settings, real clock, no faults, an empty log; keys stay', async () => {
      const fresh = (await face.control('GET', '/')).body;
      const { body: key } = await face.control('POST', '/keys', {});
      await makeCustomer(face, []);
      const accepted = await face.post('/transactions/earn', {
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: 'R-1',
        points: 3,
      });
      await face.control('PATCH', '/settings', { apply_delay_ms: 1 });
      await face.control('POST', '/faults', { effect: { type: 'error', status: 503, code: 'INTERNAL' } });
      await face.control('POST', '/clock', { mode: 'manual' });
      await face.advance(5000);
      const reset = await face.control('POST', '/reset', {});
      expect(reset.status).toBe(200);
      expect((await face.control('GET', '/')).body).toEqual(fresh);
      expect((await face.control('GET', '/faults')).body).toEqual({ data: [] });
      expect((await face.control('GET', '/requests')).body).toEqual({ data: [] });
      expect((await face.get(`/transactions/${accepted.body.transaction_id}`, { key: key.key })).status).toBe(404);
    });

    test('with empty fixtures nobody is there', async () => {
      expect((await face.control('POST', '/reset', { fixtures: 'empty' })).body.customers).toEqual([]);
    });

    test('without a body it is the demo; another name is 400', async () => {
      expect((await face.control('POST', '/reset')).body.customers.length).toBeGreaterThan(11);
      expectRefused(await face.control('POST', '/reset', { fixtures: 'huge' }), /fixtures: must be "demo" or "empty"/);
      expectRefused(await face.control('POST', '/reset', { fixture: 'demo' }), /fixture: is not a known field/);
    });
  });

  test('GET /requests tells the last calls, newest first, and none of the control API', async () => {
    await face.post('/transactions/earn', { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 });
    await face.post('/transactions/earn', { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-2' });
    const read = await face.get('/transactions?external_ref=R-3');
    const { data } = (await face.control('GET', '/requests')).body;
    expect(data).toMatchObject([
      { method: 'GET', path: '/transactions', status: 200, external_ref: 'R-3', fault: null },
      { method: 'POST', path: '/transactions/earn', status: 400, external_ref: 'R-2', duplicate: false },
      { method: 'POST', path: '/transactions/earn', status: 202, external_ref: 'R-1', payload_differs: false },
    ]);
    expect(data[0]).toMatchObject({ time: '2026-11-20T18:13:00.000Z', request_id: read.headers['x-request-id'] });
    expect(data[0].duration_ms).toBeGreaterThanOrEqual(0);
    expect((await face.control('GET', '/requests?limit=1')).body.data).toHaveLength(1);
    expectRefused(await face.control('GET', '/requests?limit=0'), /limit: /);
  });

  test.each([
    [{ allowed_addresses: ['somewhere'] }, /allowed_addresses.0: must be an IP address/],
    [{ expires_at: 'tomorrow' }, /expires_at: must be an RFC 3339/],
    [{ name: 'x' }, /name: is not a known field/],
  ])('a key with %o is 400', async (body, words) => {
    expectRefused(await face.control('POST', '/keys', body), words);
  });

  test('what is not there is 404', async () => {
    for (const path of ['/cards/card_nowhere/suspend', '/cards/card_nowhere/resume']) {
      expect((await face.control('POST', path)).status).toBe(404);
    }
    const failed = await face.control('POST', '/transactions/txn_nowhere/fail', { code: 'INTERNAL' });
    expect(failed.status).toBe(404);
    expectRefused(
      await face.control('POST', '/transactions/txn_nowhere/fail', { code: 'OOPS' }),
      /code: must be "UNAUTHENTICATED" or/,
    );
  });
});
