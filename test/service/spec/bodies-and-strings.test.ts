import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../../support/service-faces.ts';

const mebibyte = 1024 * 1024;

describe.each(faces)('errors and limits, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const earn = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    face.call('POST', '/transactions/earn', undefined, { raw, headers });
  const good = JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 });

  test('an unknown path is 404 VALIDATION_ERROR', async () => {
    for (const path of ['/nowhere', '/transactions/', '/customers', '/transactions/a/b']) {
      const answer = await face.get(path);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    }
    const outside = await face.dispatcher.request({
      origin: face.origin,
      path: '/elsewhere',
      method: 'GET',
      headers: { authorization: `Bearer ${face.service.apiKey}` },
    });
    expect(outside.statusCode).toBe(404);
    await outside.body.dump();
  });

  test.each([
    ['GET', '/transactions/earn', 'POST'],
    ['DELETE', '/transactions/txn_1', 'GET'],
    ['PUT', '/customers/identify', 'POST'],
    ['POST', '/transactions', 'GET'],
    ['GET', '/redemptions/res_1/commit', 'POST'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await face.call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  });

  test.each([
    ['text', 'hello'],
    ['half an object', '{"external_ref":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('a body of %s is 400', async (_, raw) => {
    const answer = await earn(raw);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'The body is not JSON in UTF-8.' });
  });

  test('a name that stands twice in one object is 400 and named: no value may be chosen', async () => {
    const answer = await earn('{"external_ref":"R-1","amount_minor":1,"amount_minor":2}');
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([{ field: 'amount_minor', problem: 'must stand only once' }]);
  });

  test('no body is 400', async () => {
    const answer = await face.call('POST', '/transactions/earn');
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe('body: is required');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json; version=1; Charset = "UTF-16"',
    'application/jsonp',
    'text/json',
  ])('a body of type %s is 415', async (type) => {
    const answer = await earn(good, { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;charset=utf8',
    'application/json; version=1',
    'application/json; version=1; charset=utf-8',
    'application/json;',
    'application/json; odata="charset"',
  ])('a body of type %s is taken', async (type) => {
    expect((await earn(good, { 'content-type': type })).status).toBe(202);
  });

  test.each(['gzip', 'br', 'identity, deflate'])(
    'a body with the Content-Encoding %s is 415, named',
    async (coding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      const answer = await earn(gzipSync(good), headers);
      expect(answer.status).toBe(415);
      expect(answer.body.error.code).toBe('VALIDATION_ERROR');
      expect(answer.body.error.message).toContain('Content-Encoding');
    },
  );

  test.each(['identity', 'Identity', ''])('a body with the Content-Encoding "%s" is taken', async (coding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    expect((await earn(good, headers)).status).toBe(202);
  });

  test('a body of 1 MiB is taken, a byte more is 413', async () => {
    const filler = (length: number) => good.replace('{', `{${' '.repeat(length - good.length)}`);
    expect((await earn(filler(mebibyte))).status).toBe(202);
    const over = await earn(filler(mebibyte + 1));
    expect(over.status).toBe(413);
    expect(over.body.error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    expect((await earn(filler(20 * mebibyte))).status).toBe(413);
    const streamed = await face.dispatcher.request({
      origin: face.origin,
      path: '/v1/transactions/earn',
      method: 'POST',
      headers: { authorization: `Bearer ${face.service.apiKey}`, 'content-type': 'application/json' },
      body: Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(mebibyte / 8, ' '))),
    });
    expect(streamed.statusCode).toBe(413);
    await streamed.body.dump();
  });

  test.each([
    ['POST', '/redemptions/res_1/release'],
    ['GET', '/transactions/txn_1'],
    ['GET', '/transactions?external_ref=R-1'],
    ['GET', '/customers/cus_1/transactions'],
  ])('a body on a call that takes none is checked, too, and then ignored: %s %s', async (method, path) => {
    const withBody = (raw: string, type = 'application/json') =>
      face.call(method, path, undefined, { raw, headers: { 'content-type': type } });
    const without = await face.call(method, path);
    expect((await withBody(' '.repeat(mebibyte + 1))).status).toBe(413);
    expect((await withBody('{}', 'text/plain')).status).toBe(415);
    expect((await withBody('{"a":')).status).toBe(400);
    const ignored = await withBody('{"a":[1]}');
    expect([ignored.status, ignored.body.error?.details]).toEqual([without.status, without.body.error?.details]);
  });

  test('JSON nested thousands deep is 400, not a crash', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const answer = await earn(good.replace('{', `{"metadata":${deep},`));
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/nested too deeply/);
    expect((await face.get('/transactions?external_ref=nothing')).status).toBe(200);
  });

  test('a percent sign that encodes nothing is 400', async () => {
    expect((await face.get('/transactions/%E0%A4%A')).status).toBe(400);
  });

  test('strings have 1 to 255 characters and no control characters', async () => {
    const withRef = (externalRef: string) => earn(good.replace('"R-1"', JSON.stringify(externalRef)));
    expect((await withRef('r'.repeat(255))).status).toBe(202);
    for (const bad of ['', 'r'.repeat(256), 'R\u0000', 'R\n1', 'R\ud83d'])
      expect((await withRef(bad)).status).toBe(400);
  });

  test('every answer carries the request id, in error bodies too, and the time of the sandbox', async () => {
    const one = await face.get('/transactions?external_ref=R-1');
    const other = await face.get('/transactions/txn_nowhere');
    expect(one.headers['x-request-id']).toMatch(/^req_/);
    expect(other.headers['x-request-id']).not.toBe(one.headers['x-request-id']);
    expect(other.body.error.request_id).toBe(other.headers['x-request-id']);
    expect(one.headers.date).toBe('Fri, 20 Nov 2026 18:13:00 GMT');
    expect(one.headers['content-type']).toBe('application/json');
    await face.advance(3_600_000);
    expect((await face.get('/transactions/txn_nowhere')).headers.date).toBe('Fri, 20 Nov 2026 19:13:00 GMT');
  });
});
