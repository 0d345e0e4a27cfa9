import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';

describe.each(faces)('who may call, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const read = (options: object) => face.get('/transactions?external_ref=R-1', options);
  const newKey = async (fields: object = {}): Promise<string> => (await face.control('POST', '/keys', fields)).body.key;

  test('every key problem has the same answer, which does not say which it is', async () => {
    const revoked = await newKey();
    await face.control('DELETE', `/keys/${revoked}`);
    const expired = await newKey({ expires_at: '2026-11-20T18:13:00Z' });
    const elsewhere = await newKey({ allowed_addresses: ['10.1.2.3', 'fd00::/8'] });
    const problems: (string | null)[] = [
      null,
      'loyalty_pk_test_nobody',
      'loyalty_pk_live_4kq7m2xw9c3t',
      revoked,
      expired,
      elsewhere,
    ];
    const bodies = new Set<string>();
    for (const key of problems) {
      const answer = await read({ key });
      expect(answer.status).toBe(401);
      const { request_id: requestId, ...rest } = answer.body.error;
      expect(requestId).toBe(answer.headers['x-request-id']);
      bodies.add(JSON.stringify(rest));
    }
    expect([...bodies]).toEqual([
      '{"code":"UNAUTHENTICATED","message":"The API key is missing or not accepted.","retryable":false}',
    ]);
  });

  test.each(['Basic abc', 'Bearer', 'Bearer  ', 'loyalty_pk_test_demo_4kq7m2xw9c3t', ''])(
    'the header "Authorization: %s" is 401',
    async (authorization) => {
      expect((await read({ key: null, headers: { authorization } })).status).toBe(401);
    },
  );

  test('an unknown path and a bad body are 401 too without a key: nothing is told', async () => {
    expect((await face.get('/nowhere', { key: null })).status).toBe(401);
    expect((await face.call('POST', '/transactions/earn', {}, { key: null })).status).toBe(401);
  });

  test('a key works until it expires, on the sandbox clock', async () => {
    const key = await newKey({ expires_at: '2026-11-20T19:13:00+00:00' });
    expect((await read({ key })).status).toBe(200);
    await face.advance(3_600_000);
    expect((await read({ key })).status).toBe(401);
  });

  test('a key for certain addresses works from those', async () => {
    const key = await newKey({ allowed_addresses: ['127.0.0.0/8', '::1'] });
    expect((await read({ key })).status).toBe(200);
  });

  test('a suspended tenant is 403 TENANT_SUSPENDED on every call, and the control API still answers', async () => {
    await face.control('PATCH', '/settings', { suspended: true });
    const answer = await read({});
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'TENANT_SUSPENDED', retryable: false });
    expect((await read({ key: null })).status).toBe(401);
    expect((await face.control('PATCH', '/settings', { suspended: false })).status).toBe(200);
    expect((await read({})).status).toBe(200);
  });

  test('a rate limit answers 429 with Retry-After until its time has passed, and only that partner', async () => {
    const other = await newKey({ source: 'web-shop' });
    await face.control('PATCH', '/settings', { rate_limit: { requests: 2, per_seconds: 10 } });
    expect((await read({})).status).toBe(200);
    await face.advance(3500);
    expect((await read({})).status).toBe(200);
    const limited = await read({});
    expect(limited.status).toBe(429);
    expect(limited.headers['retry-after']).toBe('7');
    expect(limited.body.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect((await read({ key: other })).status).toBe(200);
    expect((await face.control('GET', '/')).status).toBe(200);
    await face.advance(7000);
    expect((await read({})).status).toBe(200);
  });

  test('there is no rate limit until one is set, and null takes it away', async () => {
    for (let index = 0; index < 50; index += 1) expect((await read({})).status).toBe(200);
    await face.control('PATCH', '/settings', { rate_limit: { requests: 1, per_seconds: 60 } });
    await read({});
    expect((await read({})).status).toBe(429);
    await face.control('PATCH', '/settings', { rate_limit: null });
    expect((await read({})).status).toBe(200);
  });
});
