import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../support/service-faces.ts';

describe.each(faces)('faults, $name', ({ start, name }) => {
  let face: TestFace;
  let timersWhenIdle: number;
  beforeEach(async () => {
    face = await start();
    timersWhenIdle = face.host.timerCount;
  });
  afterEach(() => face.close());

  const earn = (externalRef = 'R-1') =>
    face.post('/transactions/earn', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: externalRef,
      points: 1,
    });
  const addFault = async (rule: object) => {
    const answer = await face.control('POST', '/faults', rule);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const recorded = async (externalRef = 'R-1') => {
    await face.control('DELETE', '/faults');
    return (await face.get(`/transactions?external_ref=${externalRef}`)).body.data.length;
  };
  const failure = async (promise: Promise<unknown>): Promise<{ code: string; message: string }> => {
    const error: unknown = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Error) || !('code' in error)) throw new Error(`No failure came: ${String(error)}`);
    return { code: String(error.code), message: error.message };
  };

  test('error answers before anything is written, as often as it was asked for', async () => {
    await addFault({
      match: { method: 'post', path: '/transactions/earn' },
      effect: { type: 'error', status: 503, code: 'INTERNAL', retry_after: 3 },
      times: 2,
    });
    for (let index = 0; index < 2; index += 1) {
      const answer = await earn();
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('3');
      expect(answer.body.error).toMatchObject({ code: 'INTERNAL', retryable: true });
    }
    const through = await earn();
    expect(through.body.duplicate).toBe(false);
  });

  test.each([
    // The phone of a customer; a phone that nobody has: the customer beside the error is said to have it.
    ['fixtures', '+96599887766'],
    ['fixtures', '+96555512345'],
    ['empty', '+96555512345'],
  ])(
    'the error ALREADY_ENROLLED has a customer beside it with the phone that was asked for: %s, %s',
    async (has, phone) => {
      if (has === 'empty') await face.control('POST', '/reset', { fixtures: 'empty' });
      const begun = await face.post('/customers/enroll', { external_ref: 'E-1', phone: '+96555500009' });
      const code = { enrollment_id: begun.body.enrollment_id, otp: '1' };
      await addFault({ effect: { type: 'error', status: 409, code: 'ALREADY_ENROLLED' } });
      const enrolled = await face.post('/customers/enroll', { external_ref: 'E-2', phone });
      const verified = await face.post('/customers/enroll/verify', code);
      expect([enrolled, verified]).toMatchObject([
        { status: 409, body: { error: { code: 'ALREADY_ENROLLED' }, customer: { phone } } },
        { status: 409, body: { error: { code: 'ALREADY_ENROLLED' }, customer: { phone: '+96555500009' } } },
      ]);
    },
  );

  test('the error OTP_INVALID says what is wrong with the code', async () => {
    await addFault({ effect: { type: 'error', status: 422, code: 'OTP_INVALID' } });
    const answer = await face.post('/customers/enroll/verify', { enrollment_id: 'enr_1', otp: '1' });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'OTP_INVALID', details: ['otp_incorrect'] } } });
  });

  test('drop_request: the connection dies and nothing is recorded', async () => {
    await addFault({ match: { path: '/transactions/earn' }, effect: { type: 'drop_request' } });
    expect(await failure(earn())).toEqual({ code: 'UND_ERR_SOCKET', message: 'other side closed' });
    expect(await recorded()).toBe(0);
  });

  test('drop_response: the connection dies and it is recorded', async () => {
    await addFault({ match: { path: '/transactions/earn' }, effect: { type: 'drop_response' } });
    expect(await failure(earn())).toEqual({ code: 'UND_ERR_SOCKET', message: 'other side closed' });
    expect(await recorded()).toBe(1);
  });

  test('partial_response: the head comes, the body stops short, and it is recorded', async () => {
    await addFault({ match: { path: '/transactions/earn' }, effect: { type: 'partial_response' } });
    const answer = await face.dispatcher.request({
      origin: face.origin,
      path: '/v1/transactions/earn',
      method: 'POST',
      headers: { authorization: `Bearer ${face.service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 }),
    });
    expect(answer.statusCode).toBe(202);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(50);
    expect(await failure(answer.body.text())).toEqual({ code: 'UND_ERR_SOCKET', message: 'other side closed' });
    expect(await recorded()).toBe(1);
  });

  test('malformed_response: a 200 with a body that breaks the contract', async () => {
    await addFault({ match: { path: '/transactions/{id}' }, effect: { type: 'malformed_response' } });
    await expect(face.get('/transactions/txn_1')).rejects.toThrow(/transaction_id/);
  });

  test('delay answers late, on real time', async () => {
    await face.control('POST', '/clock', { mode: 'manual' });
    await addFault({ match: {}, effect: { type: 'delay', ms: 5000 }, times: 1 });
    let answered = false;
    const answer = earn().then((result) => {
      answered = true;
      return result;
    });
    while (face.host.msToNextTimer !== 5000) await new Promise((resolve) => setImmediate(resolve));
    face.host.advance(4999);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answered).toBe(false);
    face.host.advance(1);
    expect((await answer).status).toBe(202);
  });

  test('a delay ends with the service: nothing is left waiting, and the call it held up is not carried out', async () => {
    await addFault({ effect: { type: 'delay', ms: 60_000 } });
    const waiting = failure(earn());
    while (face.host.msToNextTimer !== 60_000) await new Promise((resolve) => setImmediate(resolve));
    face.service.close();
    expect(await waiting).toEqual({ code: 'UND_ERR_SOCKET', message: 'other side closed' });
    expect(face.host.timerCount).toBe(timersWhenIdle);
  });

  test('a call that is delayed is dropped by a reset: the fresh data and the emptied log have nothing of it', async () => {
    await addFault({ effect: { type: 'delay', ms: 60_000 } });
    const waiting = failure(earn());
    while (face.host.msToNextTimer !== 60_000) await new Promise((resolve) => setImmediate(resolve));
    expect((await face.control('POST', '/reset')).status).toBe(200);
    face.host.advance(60_000);
    expect(await waiting).toEqual({ code: 'UND_ERR_SOCKET', message: 'other side closed' });
    expect((await face.control('GET', '/requests')).body.data).toEqual([]);
    expect(await recorded()).toBe(0);
  });

  test('a call with a wrong key meets no fault and uses none up; only a line that is down is down for it, too', async () => {
    await addFault({ effect: { type: 'error', status: 503, code: 'INTERNAL' }, times: 1 });
    const withWrongKey = () => face.get('/transactions?external_ref=R-1', { key: 'loyalty_pk_test_nobody' });
    expect((await withWrongKey()).status).toBe(401);
    expect((await face.control('GET', '/faults')).body.data).toMatchObject([{ hits: 0, hits_left: 1 }]);
    expect((await earn()).status).toBe(503);
    await face.control('DELETE', '/faults');
    await addFault({ effect: { type: 'offline' }, times: 1 });
    await failure(withWrongKey());
    expect((await face.control('GET', '/faults')).body.data).toMatchObject([{ hits: 0, hits_left: 1 }]);
    await failure(earn());
    expect((await earn()).status).toBe(202);
  });

  test('offline refuses every connection, and the control API can still be reached to end it', async () => {
    await addFault({ effect: { type: 'offline' } });
    for (let index = 0; index < 3; index += 1) {
      const { code } = await failure(earn());
      expect(code).toBe(name === 'in process' ? 'ECONNREFUSED' : 'UND_ERR_SOCKET');
    }
    expect((await face.control('GET', '/faults')).body.data).toMatchObject([{ hits: 3, hits_left: null }]);
    expect((await face.control('DELETE', '/faults')).body).toEqual({ cleared: 1 });
    expect((await earn()).body.duplicate).toBe(false);
  });

  test('a rule strikes only what it matches; the first that matches wins', async () => {
    const error = (status: number) => ({ type: 'error', status, code: 'INTERNAL' });
    await addFault({ match: { external_ref: 'R-2' }, effect: error(501) });
    await addFault({ match: { path: '/customers/*' }, effect: error(502) });
    await addFault({ match: { method: 'GET', path: '/transactions/{id}' }, effect: error(503) });
    await addFault({ match: { path: '/transactions' }, effect: error(504) });
    expect((await earn('R-1')).status).toBe(202);
    expect((await earn('R-2')).status).toBe(501);
    expect((await face.get('/transactions?external_ref=R-2')).status).toBe(501);
    expect((await face.get('/transactions?external_ref=R-1')).status).toBe(504);
    expect((await face.get('/transactions/txn_1')).status).toBe(503);
    expect((await face.get('/customers/cus_1/transactions')).status).toBe(502);
    const { data } = (await face.control('GET', '/requests?limit=2')).body;
    expect(data).toMatchObject([
      { path: '/customers/cus_1/transactions', status: 502, fault: 'error' },
      { path: '/transactions/txn_1', status: 503, fault: 'error' },
    ]);
  });

  test('a rule of a reference strikes the calls that name what has it by its id, and no others', async () => {
    const identifier = { loyalty_id: 'LC-1001' };
    const sale = (await earn('R-1')).body.transaction_id;
    const otherSale = (await earn('R-2')).body.transaction_id;
    await face.advance(2_000);
    const hold = async (externalRef: string) =>
      (await face.post('/redemptions/reserve', { identifier, external_ref: externalRef, points: 1 })).body
        .reservation_id;
    const enrollment = (await face.post('/customers/enroll', { external_ref: 'R-1', phone: '+96555500009' })).body
      .enrollment_id;
    const [held, otherHeld] = [await hold('R-1'), await hold('R-2')];
    await addFault({ match: { external_ref: 'R-1' }, effect: { type: 'error', status: 418, code: 'INTERNAL' } });
    const those = await Promise.all([
      face.get(`/transactions/${sale}`),
      face.post(`/transactions/${sale}/reverse`, {}),
      face.post(`/redemptions/${held}/commit`, { external_ref: 'ORDER-1' }),
      face.post(`/redemptions/${held}/release`, undefined),
      face.post('/customers/enroll/verify', { enrollment_id: enrollment, otp: '000000' }),
    ]);
    expect(those.map(({ status }) => status)).toEqual(those.map(() => 418));
    const others = await Promise.all([
      face.get(`/transactions/${otherSale}`),
      face.get('/transactions/txn_nobody'),
      face.get('/transactions/%FF'),
      face.get('/nowhere'),
      face.post('/redemptions/res_nobody/release', undefined),
      face.post(`/redemptions/${otherHeld}/commit`, { external_ref: 'ORDER-2' }),
      face.post('/customers/enroll/verify', { enrollment_id: 'enr_nobody', otp: '000000' }),
      face.post('/customers/enroll/verify', { otp: '000000' }),
      face.post(`/transactions/${otherSale}/reverse`, {}),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 404, 400, 404, 404, 200, 422, 400, 202]);
    expect((await face.control('GET', '/faults')).body.data).toMatchObject([{ hits: those.length }]);
  });

  test.each([
    ['/transactions/earn', ['/transactions/earn'], ['/transactions/earn/', '/transactions', '/transactions/earns']],
    ['/transactions/{id}', ['/transactions/txn_1'], ['/transactions/', '/transactions/txn_1/reverse', '/transactions']],
    ['/transactions/{id}/reverse', ['/transactions/a/reverse'], ['/transactions//reverse', '/transactions/a/b']],
    ['/transactions*', ['/transactions', '/transactions/a/reverse'], ['/transaction']],
    ['/transactions/*', ['/transactions/', '/transactions/a', '/transactions/a/b'], ['/transactions']],
    ['/customers/{id}/t*', ['/customers/a/transactions', '/customers/a/t/b'], ['/customers/a/', '/customers//t']],
    ['/*', ['/', '/a', '/a/b'], []],
    ['/a.b(c)[d]', ['/a.b(c)[d]'], ['/axb(c)[d]']],
  ])('the path %s is %j and not %j', async (path, those, others) => {
    await addFault({ match: { path }, effect: { type: 'error', status: 418, code: 'INTERNAL' } });
    const statuses = (paths: readonly string[]) => Promise.all(paths.map(async (one) => (await face.get(one)).status));
    expect(await statuses(those)).toEqual(those.map(() => 418));
    expect(await statuses(others)).not.toContain(418);
  });

  test('a rule of a path strikes no call beside base_url, and is not used up by one', async () => {
    await addFault({
      match: { path: '/transactions' },
      effect: { type: 'error', status: 418, code: 'INTERNAL' },
      times: 1,
    });
    const beside = await face.dispatcher.request({
      origin: face.origin,
      method: 'GET',
      path: '/transactions',
      headers: { authorization: `Bearer ${face.service.apiKey}` },
    });
    await beside.body.dump();
    expect(beside.statusCode).toBe(404);
    expect((await face.get('/transactions?external_ref=R-1')).status).toBe(418);
  });

  test('a probability strikes some calls and not others, alike for the same seed', async () => {
    await addFault({ effect: { type: 'error', status: 500, code: 'INTERNAL' }, probability: 0.5 });
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1) statuses.push((await earn(`R-${index}`)).status);
    const struck = statuses.filter((status) => status === 500).length;
    expect(struck).toBeGreaterThan(8);
    expect(struck).toBeLessThan(32);
  });

  test('a list tells how many hits are left', async () => {
    const rule = { effect: { type: 'error', status: 500, code: 'INTERNAL' }, times: 3 };
    expect(await addFault(rule)).toMatchObject({ match: {}, times: 3, hits: 0, hits_left: 3, probability: 1 });
    await earn();
    expect((await face.control('GET', '/faults')).body.data).toMatchObject([{ hits: 1, hits_left: 2 }]);
  });

  test.each([
    [{}, /effect: (is required|type must be one of)/],
    [{ effect: { type: 'explode' } }, /effect.*type must be one of error, drop_request/],
    [{ effect: { type: 'error', status: 200, code: 'INTERNAL' } }, /effect.status: must be at least 400/],
    [{ effect: { type: 'error', status: 500, code: 'OOPS' } }, /effect.code: must be/],
    [{ effect: { type: 'error', status: 500 } }, /effect.code: (is required|must be)/],
    [{ effect: { type: 'delay' } }, /effect.ms: is required/],
    [{ effect: { type: 'offline', ms: 1 } }, /effect.ms: is not a known field/],
    [{ match: { url: '/x' }, effect: { type: 'offline' } }, /match.url: is not a known field/],
    [{ match: { path: 'x' }, effect: { type: 'offline' } }, /match.path: must start with a slash/],
    [{ match: { path: '/v1/transactions' }, effect: { type: 'offline' } }, /match.path: .* leave \/v1 out/],
    [
      { match: { path: '/transactions?external_ref=R-1' }, effect: { type: 'offline' } },
      /match.path: .* before the \?/,
    ],
    [{ match: { path: '/{a}{b}' }, effect: { type: 'offline' } }, /match.path: .* whole segment/],
    [{ match: { path: '/txn_{id}' }, effect: { type: 'offline' } }, /match.path: .* whole segment/],
    [{ match: { path: `/${'('.repeat(1000)}` }, effect: { type: 'offline' } }, /match.path: must have at most/],
    [{ effect: { type: 'offline' }, times: 0 }, /times: must be at least 1/],
    [{ effect: { type: 'offline' }, probability: 2 }, /probability: must be at most 1/],
  ])('the rule %o is 400', async (rule, words) => {
    const answer = await face.control('POST', '/faults', rule);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(words);
    expect((await face.control('GET', '/faults')).body.data).toEqual([]);
  });
});
