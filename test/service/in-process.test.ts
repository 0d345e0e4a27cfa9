import { Readable } from 'node:stream';
import { errors, interceptors } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer } from '../support/service-customers.ts';
import { faces, type TestFace } from '../support/service-faces.ts';

describe.each(faces)('undici in front of the service, $name', ({ start, name }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const request = (options: object = {}) =>
    face.dispatcher.request({
      origin: face.origin,
      path: '/v1/transactions?external_ref=R-1',
      method: 'GET',
      headers: { authorization: `Bearer ${face.service.apiKey}` },
      ...options,
    });

  test.each([
    ['an object', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['an object in another case', (key: string) => ({ Authorization: `Bearer ${key}` })],
    ['a flat array', (key: string) => ['authorization', `Bearer ${key}`]],
    ['a map', (key: string) => new Map([['authorization', `Bearer ${key}`]])],
  ])('headers as %s', async (_, headers) => {
    const answer = await request({ headers: headers(face.service.apiKey) });
    expect(answer.statusCode).toBe(200);
    expect(await answer.body.json()).toEqual({ data: [] });
  });

  const json = '{"loyalty_id":"LC-1001"}';
  test.each([
    ['text', () => json],
    ['a buffer', () => Buffer.from(json)],
    ['bytes', () => new TextEncoder().encode(json)],
    ['a stream', () => Readable.from([Buffer.from(json.slice(0, 5)), Buffer.from(json.slice(5))])],
  ])('a body as %s', async (_, body) => {
    const answer = await request({
      method: 'POST',
      path: '/v1/customers/identify',
      headers: { authorization: `Bearer ${face.service.apiKey}`, 'content-type': 'application/json' },
      body: body(),
    });
    expect(await answer.body.json()).toMatchObject({ name: 'Fatima Al-Sabah' });
  });

  test('query parameters as an object', async () => {
    const answer = await request({ path: '/v1/transactions', query: { external_ref: 'R 1' } });
    expect(answer.statusCode).toBe(200);
    await answer.body.dump();
  });

  test('a request that is taken back before it starts fails with its reason', async () => {
    const reason = new Error('changed my mind');
    await expect(request({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('a request that is taken back while it waits fails with its reason', async () => {
    await face.control('POST', '/faults', { effect: { type: 'delay', ms: 60_000 } });
    const controller = new AbortController();
    const answer = request({ signal: controller.signal });
    while (face.host.msToNextTimer !== 60_000 && face.host.timerCount < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const reason = new Error('too slow');
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    face.host.advance(60_000);
  });

  test('an answer that takes too long is UND_ERR_HEADERS_TIMEOUT', async () => {
    await face.control('POST', '/faults', { effect: { type: 'delay', ms: 60_000 } });
    const answer = request({ headersTimeout: 300 });
    const expectation = expect(answer).rejects.toThrow(errors.HeadersTimeoutError);
    if (name === 'in process') {
      while (face.host.msToNextTimer !== 300) await new Promise((resolve) => setImmediate(resolve));
      face.host.advance(300);
    }
    await expectation;
    face.host.advance(60_000);
  });

  test('a large answer waits for a slow reader and comes whole', async () => {
    await makeCustomer(face, []);
    for (let index = 0; index < 30; index += 1) {
      await face.control('POST', '/customers', {
        name: 'n'.repeat(255),
        cards: Array.from({ length: 30 }, () => ({ template_id: 'tpl_reward', balances: { points: 500 } })),
      });
    }
    const answer = await request({ path: '/_sandbox/', highWaterMark: 1024 });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const text = Buffer.concat(chunks).toString();
    expect(Buffer.byteLength(text)).toBe(Number(answer.headers['content-length']));
    expect(JSON.parse(text).customers).toHaveLength(45);
  });

  test("undici's own retry brings a call through a dropped connection", async () => {
    await face.control('POST', '/faults', { effect: { type: 'drop_request' }, times: 1 });
    const retrying = face.dispatcher.compose(interceptors.retry({ minTimeout: 1, maxRetries: 2 }));
    const answer = await retrying.request({
      origin: face.origin,
      path: '/v1/transactions?external_ref=R-1',
      method: 'GET',
      headers: { authorization: `Bearer ${face.service.apiKey}` },
    });
    expect(answer.statusCode).toBe(200);
    await answer.body.dump();
  });

  test('after its end a dispatcher takes no request', async () => {
    const closing = await start();
    await closing.dispatcher.destroy();
    await expect(closing.get('/transactions?external_ref=R-1')).rejects.toThrow(errors.ClientDestroyedError);
    await closing.close().catch(() => {});
  });
});
