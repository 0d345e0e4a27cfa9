import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { errorBodySchema } from '../../shared/contract/errors.ts';
import { makeCustomer } from '../support/service-customers.ts';
import { faces, type TestFace } from '../support/service-faces.ts';

const overHttp = faces.filter(({ name }) => name === 'over HTTP');
const mebibyte = 1024 * 1024;

describe.each(overHttp)('hostile requests, $name', ({ start }) => {
  let face: TestFace;
  let port: number;
  beforeEach(async () => {
    face = await start();
    port = Number(new URL(face.origin).port);
  });
  afterEach(() => face.close());

  const head = (line: string, ...more: string[]) =>
    [line, 'Host: till', `Authorization: Bearer ${face.service.apiKey}`, ...more, '', ''].join('\r\n');
  const json = 'Content-Type: application/json';
  const open = async (): Promise<{ readonly socket: Socket; readonly received: Promise<string> }> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    // A server that has answered may close before all was sent.
    socket.on('error', () => undefined);
    return { socket, received: new Promise((resolve) => socket.on('close', () => resolve(text))) };
  };
  const send = async (text: string): Promise<string> => {
    const { socket, received } = await open();
    socket.end(text);
    return received;
  };
  const expectRefusal = (answer: string, status: number) => {
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { error } = errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(answer.toLowerCase()).toContain(`x-request-id: ${error.request_id.toLowerCase()}`);
  };
  const alive = async () =>
    expect((await face.post('/customers/identify', { loyalty_id: 'LC-1001' })).status).toBe(200);

  test.each([
    ['a bad request line', 400, 'GET\r\n\r\n'],
    ['two Host headers', 400, 'GET /v1/transactions HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['an unknown version', 400, 'GET / HTTP/9.9\r\n\r\n'],
    ['headers of 20 kB', 431, `GET /v1/transactions HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a tunnel', 405, 'CONNECT example.com:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'an expectation that nobody meets',
      417,
      'POST /v1/transactions/earn HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\n\r\n',
    ],
    [
      'two lengths',
      400,
      'POST /v1/transactions/earn HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    ],
    [
      'a length and chunks',
      400,
      'POST /v1/transactions/earn HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s is answered in the error shape', async (_, status, text) => {
    expectRefusal(await send(text), status);
    await alive();
  });

  test('a byte behind a call that came whole costs it no answer', async () => {
    const body = JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 10 });
    const earn = head('POST /v1/transactions/earn HTTP/1.1', json, `Content-Length: ${body.length}`) + body;
    const { socket, received } = await open();
    socket.write(`${earn}\0`);
    const answer = await received;
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 202']);
    expect(answer.toLowerCase()).toContain('connection: close');
    await alive();
  });

  test('no Host header, HEAD, OPTIONS and an upgrade are answered, too', async () => {
    expect(
      await send(
        `GET /v1/transactions?external_ref=a HTTP/1.1\r\nAuthorization: Bearer ${face.service.apiKey}\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 200 /);
    expect(await send(head('HEAD /v1/transactions?external_ref=a HTTP/1.1', 'Connection: close'))).toMatch(
      /^HTTP\/1.1 405 .*\r\n\r\n$/s,
    );
    expectRefusal(await send(head('OPTIONS /v1/transactions HTTP/1.1', 'Connection: close')), 405);
    expect(
      await send(head('GET /v1/transactions?external_ref=a HTTP/1.1', 'Upgrade: websocket', 'Connection: upgrade')),
    ).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    ['http://till.example/v1/transactions?external_ref=a', 200],
    ['HTTP://127.0.0.1:1/v1/transactions?external_ref=a', 200],
    ['https://user@[::1]:8443/v1/transactions?external_ref=a', 200],
    ['http://till.example/_sandbox/', 200],
    ['http://till.example', 404],
    ['http://till.example?external_ref=a', 404],
    ['http://', 404],
    ['//v1/transactions?external_ref=a', 404],
    ['v1/transactions?external_ref=a', 400],
    ['*', 404],
  ])('RFC 9112, 3.2.2: the absolute form %s is taken like its path (%d)', async (target, status) => {
    const answer = await send(head(`GET ${target} HTTP/1.1`, 'Connection: close'));
    if (status === 200) expect(answer).toMatch(/^HTTP\/1.1 200 /);
    else expectRefusal(answer, status);
  });

  test('the address in an absolute form, not the Host header, is the one by which the caller came', async () => {
    const answer = await send(head('GET http://sandbox.example:81/_sandbox/ HTTP/1.1', 'Connection: close'));
    expect(answer).toContain('"base_url":"http://sandbox.example:81/v1"');
  });

  test.each([
    ['with its length', true],
    ['in chunks without end', false],
  ])('a body that is too large, %s, is 413 long before its end', async (_, hasLength) => {
    const { socket, received } = await open();
    const framing = hasLength ? `Content-Length: ${64 * mebibyte}` : 'Transfer-Encoding: chunked';
    socket.write(head('POST /v1/transactions/earn HTTP/1.1', json, framing));
    const piece = 'x'.repeat(64 * 1024);
    for (let sent = 0; sent < 64 && !socket.destroyed; sent += 1) {
      socket.write(hasLength ? piece : `10000\r\n${piece}\r\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroySoon();
    const answer = await received;
    if (answer !== '') expectRefusal(answer, 413);
    await alive();
  });

  test('a body in chunks is 413 as soon as it is over the limit, though its caller sends no more and waits', async () => {
    const { socket } = await open();
    const answered = once(socket, 'data');
    socket.write(head('POST /v1/transactions/earn HTTP/1.1', json, 'Transfer-Encoding: chunked'));
    for (let sent = 0; sent < 17; sent += 1) socket.write(`10000\r\n${'x'.repeat(64 * 1024)}\r\n`);
    const [answer] = await answered;
    expectRefusal(String(answer), 413);
    socket.destroy();
  });

  test('exactly 1 MiB is read', async () => {
    const body =
      `{"identifier":{"loyalty_id":"LC-1001"},"external_ref":"R-1","points":1,"padding":"${'x'.repeat(mebibyte)}"}`.slice(
        0,
        mebibyte - 2,
      );
    const answer = await face.call('POST', '/transactions/earn', undefined, { raw: `${body}"}` });
    expect(answer.status).toBe(202);
    expect((await face.call('POST', '/transactions/earn', undefined, { raw: `${body}x"}` })).status).toBe(413);
  });

  test('a request that is cut off in the midst of its body writes nothing, and its reference stays free', async () => {
    const customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
    const body = JSON.stringify({ identifier: { customer_id: customer.customer_id }, external_ref: 'R-1', points: 5 });
    const { socket } = await open();
    socket.write(
      head('POST /v1/transactions/earn HTTP/1.1', json, `Content-Length: ${body.length}`) + body.slice(0, -1),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
    await alive();
    expect((await face.get('/transactions?external_ref=R-1')).body.data).toEqual([]);
  });

  test('two hundred clients that trickle their requests keep nobody else waiting, and cost little memory', async () => {
    const before = process.memoryUsage().heapUsed;
    const slow = await Promise.all(Array.from({ length: 200 }, () => open()));
    for (const { socket } of slow)
      socket.write(head('POST /v1/transactions/earn HTTP/1.1', json, `Content-Length: ${mebibyte}`).concat('{"a'));
    const startedAt = performance.now();
    for (let call = 0; call < 20; call += 1) await alive();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * mebibyte);
    for (const { socket } of slow) socket.destroy();
  });

  test('pipelined requests are answered in their order', async () => {
    const answer = await send(
      head('GET /v1/transactions/txn_one HTTP/1.1') +
        head('GET /v1/transactions?external_ref=two HTTP/1.1', 'Connection: close'),
    );
    expect([...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['404', '200']);
  });

  const earn = (externalRef: string) => {
    const body = JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: externalRef, points: 1 });
    return head('POST /v1/transactions/earn HTTP/1.1', json, `Content-Length: ${body.length}`) + body;
  };
  const read = (externalRef: string, ...more: string[]) =>
    head(`GET /v1/transactions?external_ref=${externalRef} HTTP/1.1`, ...more);
  const held = async (externalRef: string) => (await face.get(`/transactions?external_ref=${externalRef}`)).body.data;

  test('a pipelined read finds the write before it, and a write does not overtake a read (RFC 9112, 9.3.2)', async () => {
    const { socket, received } = await open();
    socket.write(read('P-1') + earn('P-1') + read('P-1') + earn('P-1') + read('P-1', 'Connection: close'));
    const answer = await received;
    const answers = answer.split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((text) => text.slice(9, 12))).toEqual(['200', '202', '200', '202', '200']);
    expect(answers.map((text) => text.includes('"external_ref":"P-1"'))).toEqual([false, false, true, false, true]);
    expect(answers.map((text) => text.includes('"duplicate":true'))).toEqual([false, false, false, true, false]);
  });

  test('what was pipelined behind a write is done, too, where the caller has closed its end', async () => {
    await send(earn('P-1') + earn('P-2'));
    await expect.poll(async () => [...(await held('P-1')), ...(await held('P-2'))]).toHaveLength(2);
  });

  test.each([
    ['depth', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['deep arrays', '['.repeat(500_000)],
    ['a BOM', '\ufeff{}'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['null', 'null'],
    ['an array', '[]'],
    ['a number too large', '{"points":1e999}'],
    ['nothing', ''],
  ])('a body of %s is 400 at every path that takes one', async (_, raw) => {
    for (const name of endpointNames) {
      const { method, path, bodyRule } = endpoints[name];
      if (bodyRule !== 'required') continue;
      const answer = await face.call(method, path.replace(/\{\w+\}/g, 'x'), undefined, { raw });
      expect(answer.status, path).toBe(400);
    }
    await alive();
  });

  test.each(['text/plain', 'application/xml', 'application/json; charset=utf-16', 'multipart/form-data'])(
    'content type %s on a body is 415',
    async (type) => {
      const answer = await face.call('POST', '/transactions/earn', undefined, {
        raw: '{}',
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(415);
    },
  );

  test.each(endpointNames)('%s: every other method is 405 and names the right one', async (name) => {
    const { path } = endpoints[name];
    const target = path.replace(/\{\w+\}/g, 'x');
    const right = endpointNames
      .filter((other) => endpoints[other].path === path)
      .map((other) => endpoints[other].method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((other) => !right.includes(other as 'GET'))) {
      const answer = await face.call(method, target);
      expect(answer.status, method).toBe(405);
      expect(answer.headers.allow).toBe(right.join(', '));
    }
  });

  test.each([
    '<script>alert(1)</script>',
    "Robert'); DROP TABLE cards;--",
    '%00 %s #{7*7} {{7*7}}',
    '‮right to left‬',
    '👩‍👩‍👧‍👦 naïve Ⅷ',
    '__proto__',
    'constructor',
  ])('%s comes back as it was sent, in every string that is kept', async (text) => {
    const customer = await makeCustomer(face, [{ template_id: 'tpl_reward', loyalty_id: text }], {
      name: text,
      external_id: text,
    });
    const identified = await face.post('/customers/identify', { loyalty_id: text });
    expect(identified.body).toMatchObject({ customer_id: customer.customer_id, name: text });
    const earned = await face.post('/transactions/earn', {
      identifier: { external_id: text },
      external_ref: text,
      points: 1,
      branch_ref: text,
      employee_ref: text,
      metadata: JSON.parse(`{"__proto__":{"polluted":true},"text":${JSON.stringify(text)}}`),
    });
    expect(earned.status).toBe(202);
    const { data } = (await face.get(`/transactions?external_ref=${encodeURIComponent(text)}`)).body;
    expect(data).toMatchObject([{ external_ref: text }]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each(['\u0000', 'a\u0007b', '\ud800', 'x\udc00', '', 'x'.repeat(256)])(
    '%j is refused in every string that is kept',
    async (text) => {
      for (const field of ['external_ref', 'card_id', 'branch_ref', 'employee_ref', 'device_ref']) {
        const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1, [field]: text };
        const answer = await face.post('/transactions/earn', body);
        expect(answer.status, field).toBe(400);
        expect(answer.body.error.details[0].field).toBe(field);
      }
    },
  );

  test('an earn that would make a balance too large to count fails, and says so', async () => {
    const customer = await makeCustomer(face, [
      { template_id: 'tpl_membership', balances: { visits: Number.MAX_SAFE_INTEGER } },
    ]);
    const identifier = { customer_id: customer.customer_id };
    const { body } = await face.post('/transactions/earn', {
      identifier,
      external_ref: 'R-1',
      visits: Number.MAX_SAFE_INTEGER,
    });
    await face.advance(1_000);
    expect((await face.get(`/transactions/${body.transaction_id}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 'VALIDATION_ERROR' },
    });
    expect(
      (await face.post('/transactions/redeem', { identifier, external_ref: 'R-2', visits: Number.MAX_SAFE_INTEGER }))
        .status,
    ).toBe(200);
  });

  test('a metadata of 8,000 levels under 16 KiB is kept or refused, and the service lives on', async () => {
    const nested = `{"identifier":{"loyalty_id":"LC-1001"},"external_ref":"R-1","points":1,"metadata":{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}}`;
    expect([202, 400]).toContain((await face.call('POST', '/transactions/earn', undefined, { raw: nested })).status);
    await alive();
  });
});
