import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admit } from '../../app/bridge/door.ts';
import type { BridgeRequest } from '../../app/bridge/request-and-answer.ts';
import { isLoopbackHost } from '../../app/http/host-rule.ts';
import { errorBodySchema } from '../../shared/contract/errors.ts';
import { type BridgeUnderTest, listedOrigin, localToken, startBridge } from '../support/bridge-server.ts';
import { sendRaw, statusOf } from '../support/raw-http.ts';

let bridge: BridgeUnderTest;
beforeAll(async () => {
  bridge = await startBridge();
});
afterAll(() => bridge.close());

const earn = { identifier: { loyalty_id: 'LC-1' }, external_ref: 'R-1', amount_minor: 1000 };

function rawGet(headers: string, path = '/v1/agent/status'): Promise<string> {
  return sendRaw(bridge.port, `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
}

describe('who may come in', () => {
  it('takes the local token, and every one of them', async () => {
    expect((await bridge.call('GET', '/v1/agent/status')).status).toBe(200);
    const second = await bridge.call('GET', '/v1/agent/status', undefined, { authorization: 'Bearer tb_local_second' });
    expect(second.status).toBe(200);
  });

  it.each([
    ['no header', undefined],
    ['another token', 'Bearer tb_local_tes'],
    ['another scheme', `Basic ${localToken}`],
    ['no scheme', localToken],
    ['an empty token', 'Bearer '],
  ])('answers 401 in the specification’s shape to %s', async (_, authorization) => {
    const headers = authorization === undefined ? undefined : { authorization };
    const response = await fetch(`http://127.0.0.1:${bridge.port}/v1/agent/status`, { ...(headers && { headers }) });
    expect(response.status).toBe(401);
    const body = errorBodySchema.parse(await response.json());
    expect(body.error.code).toBe('UNAUTHENTICATED');
    expect(body.error.request_id).toBe(response.headers.get('x-request-id'));
  });

  it('says that it is alive without a token', async () => {
    const response = await fetch(`http://127.0.0.1:${bridge.port}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it('says so to a monitor that asks for the head alone', async () => {
    const response = await fetch(`http://127.0.0.1:${bridge.port}/healthz`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    const posted = await fetch(`http://127.0.0.1:${bridge.port}/healthz`, { method: 'POST' });
    expect(posted.status).toBe(401);
  });

  it('tells no path apart from another to a caller without a token', async () => {
    for (const path of ['/', '/v1', '/v1/nothing', '/v1/transactions/redeem']) {
      expect((await fetch(`http://127.0.0.1:${bridge.port}${path}`)).status).toBe(401);
    }
  });
});

describe('the Host header', () => {
  it.each([
    [(port: number) => `http://127.0.0.1:${port}`, 'evil.example', 200],
    [(port: number) => `HTTP://localhost:${port}`, 'evil.example', 200],
    [(port: number) => `http://evil.example:${port}`, `127.0.0.1`, 403],
    [() => 'http://', '127.0.0.1', 403],
  ])('gives way to an address before the path (RFC 9112, 3.2.2): %s', async (address, host, status) => {
    const path = `${address(bridge.port)}/v1/agent/status`;
    const answer = await rawGet(`Host: ${host}:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n`, path);
    expect(statusOf(answer)).toBe(status);
  });

  it.each([
    [(port: number) => `127.0.0.1:${port}`, 200],
    [(port: number) => `localhost:${port}`, 200],
    [(port: number) => `LOCALHOST:${port}`, 200],
    [(port: number) => `[::1]:${port}`, 200],
    [(port: number) => `127.0.0.1:${port + 1}`, 403],
    [() => '127.0.0.1', 403],
    [(port: number) => `evil.example:${port}`, 403],
    [(port: number) => `127.0.0.1.evil.example:${port}`, 403],
    [(port: number) => `evil@127.0.0.1:${port}`, 403],
    [(port: number) => `192.168.1.5:${port}`, 403],
  ])('%s answers %i', async (host, status) => {
    const answer = await rawGet(`Host: ${host(bridge.port)}\r\nAuthorization: Bearer ${localToken}\r\n`);
    expect(statusOf(answer)).toBe(status);
  });

  it.each(['Authorization: Bearer tb_other', 'Idempotency-Key: b\r\nIdempotency-Key: c'])(
    'is 400 beside a header that came twice: %s',
    async (more) => {
      const answer = await rawGet(
        `Host: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n${more}\r\n`,
      );
      expect(statusOf(answer)).toBe(400);
      expect(answer).toContain('several_headers');
    },
  );

  it('is asked for even for the liveness path and even with a token', async () => {
    expect(statusOf(await rawGet(`Host: evil.example\r\n`, '/healthz'))).toBe(403);
  });

  it('is refused without its port, too, and told with it', async () => {
    for (const host of ['Host: 127.0.0.1\r\n', 'Host: evil.example\r\n']) {
      const answer = await rawGet(`${host}Authorization: Bearer ${localToken}\r\n`);
      expect(statusOf(answer)).toBe(403);
      expect(answer).toContain(`with its port, such as 127.0.0.1:${bridge.port}.`);
    }
  });

  it('is refused in the specification’s shape', async () => {
    const answer = await rawGet(`Host: evil.example\r\nAuthorization: Bearer ${localToken}\r\n`);
    const body = errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
    expect(body.error.details).toEqual(['host_not_allowed']);
    expect(body.error.retryable).toBe(false);
  });

  it('is missing: refused', async () => {
    expect(statusOf(await rawGet(`Authorization: Bearer ${localToken}\r\n`))).toBe(400);
    const old = await sendRaw(
      bridge.port,
      `GET /v1/agent/status HTTP/1.0\r\nAuthorization: Bearer ${localToken}\r\n\r\n`,
    );
    expect(statusOf(old)).toBe(403);
  });

  it('comes once: two of them are 400, whichever stands first', async () => {
    const ours = `Host: 127.0.0.1:${bridge.port}\r\n`;
    for (const headers of [`${ours}Host: evil.example\r\n`, `Host: evil.example\r\n${ours}`, ours + ours]) {
      const answer = await rawGet(`${headers}Authorization: Bearer ${localToken}\r\n`);
      expect(statusOf(answer)).toBe(400);
      expect(answer).toContain('several_hosts');
    }
  });

  it('may leave out the port only where the port is 80', () => {
    expect(isLoopbackHost('localhost', 80)).toBe(true);
    expect(isLoopbackHost('localhost', 7425)).toBe(false);
    expect(isLoopbackHost(undefined, 80)).toBe(false);
    expect(isLoopbackHost('', 80)).toBe(false);
    expect(isLoopbackHost('localhost:', 80)).toBe(false);
  });
});

describe('the Origin header', () => {
  it('lets a listed page in and names it in the answer', async () => {
    const reply = await bridge.call('GET', '/v1/agent/status', undefined, { origin: listedOrigin });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBe(listedOrigin);
    expect(reply.headers.get('vary')).toBe('Origin');
  });

  it.each(['https://evil.example', 'null', 'http://localhost', `${listedOrigin}.evil.example`, 'http://pos.example'])(
    'keeps %s out, with the right token too',
    async (origin) => {
      const before = bridge.core.saved.length;
      const reply = await bridge.call('POST', '/v1/transactions/earn', earn, { origin });
      expect(reply.status).toBe(403);
      expect(reply.json.error.details).toEqual(['origin_not_allowed']);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
      expect(bridge.core.saved).toHaveLength(before);
    },
  );

  it.each([
    ['no page', []],
    ['another page', ['https://other.example']],
    ['a page whose name is longer', [`${listedOrigin}.example`]],
  ])('is refused where the settings list %s', (_, origins) => {
    const headers: Readonly<Record<string, string>> = { host: '127.0.0.1:7425', origin: listedOrigin };
    const request: BridgeRequest = {
      method: 'GET',
      target: '/v1/agent/status',
      header: (name) => headers[name],
      readBody: async () => new Uint8Array(),
    };
    expect(
      admit(request, { port: () => 7425, origins, tokens: () => null, officeSecret: 'tb_office_test' }),
    ).toMatchObject({
      kind: 'refused',
      failure: { status: 403, details: ['origin_not_allowed'] },
    });
  });

  it('answers the preflight of a listed page alone, without a token', async () => {
    const ask = (origin: string) =>
      fetch(`http://127.0.0.1:${bridge.port}/v1/transactions/earn`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const listed = await ask(listedOrigin);
    expect(listed.status).toBe(204);
    expect(listed.headers.get('access-control-allow-headers')?.split(', ')).toEqual([
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Last-Event-ID',
    ]);
    expect((await ask('https://evil.example')).status).toBe(403);
  });
});

describe('the body', () => {
  it('over 1 MiB is 413 by its length, before a byte of it is read', async () => {
    const answer = await sendRaw(
      bridge.port,
      `POST /v1/transactions/earn HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n{',
    );
    expect(statusOf(answer)).toBe(413);
  });

  it('over 1 MiB is 413 when its length is not told', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(
        {
          port: bridge.port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/v1/transactions/earn',
          headers: { authorization: `Bearer ${localToken}`, 'content-type': 'application/json' },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sending.on('error', reject);
      for (let count = 0; count < 20; count += 1) sending.write('x'.repeat(100_000));
      sending.end();
    });
    expect(status).toBe(413);
  });

  it('of exactly 1 MiB is read', async () => {
    const padding = 'x'.repeat(1024 * 1024 - JSON.stringify({ ...earn, padding: '' }).length);
    const reply = await bridge.call('POST', '/v1/transactions/earn', { ...earn, padding });
    expect(reply.status).toBe(202);
  });

  it.each([
    ['no JSON', '{"external_ref":', 400],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['empty', '', 400],
  ])('that is %s is 400', async (_, body, status) => {
    const response = await fetch(`http://127.0.0.1:${bridge.port}/v1/transactions/earn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${localToken}`, 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(status);
    const { error } = errorBodySchema.parse(await response.json());
    expect(error.code).toBe('VALIDATION_ERROR');
    const problem = body === '' ? 'is required' : 'The body is not JSON in UTF-8.';
    expect(error.details).toEqual([{ field: body === '' ? 'body' : '', problem }]);
  });

  // 504: it is passed on, and nobody answers here.
  it.each([
    ['POST', '/redemptions/res_1/release', 'junk', 'application/json', 400],
    ['POST', '/redemptions/res_1/release', 'junk', 'text/plain', 415],
    ['POST', '/redemptions/res_1/release', '{"a":1}', 'application/json', 504],
    ['POST', '/redemptions/res_1/release', '', 'text/plain', 504],
  ])(
    'to a call that takes none is judged as at the service: %s %s %s (%s) is %d',
    async (method, path, body, type, status) => {
      const reply = await bridge.call(method, `/v1${path}`, body, { 'content-type': type });
      expect(reply.status).toBe(status);
    },
  );

  it('that is not there at all is 400, and named, whatever its type', async () => {
    for (const type of ['', 'Content-Type: text/plain\r\n', 'Content-Type: application/json\r\n']) {
      const answer = await sendRaw(
        bridge.port,
        `POST /v1/transactions/earn HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n${type}Connection: close\r\n\r\n`,
      );
      expect(statusOf(answer)).toBe(400);
      expect(answer).toContain('body: is required');
    }
  });

  it('that is announced with an expectation that nobody meets is 417, in the shape of every error', async () => {
    const answer = await sendRaw(
      bridge.port,
      `POST /v1/transactions/earn HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(statusOf(answer)).toBe(417);
    const error = errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).error;
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', ''])(
    'of type "%s" is 415',
    async (type) => {
      const reply = await bridge.call('POST', '/v1/transactions/earn', JSON.stringify(earn), { 'content-type': type });
      expect(reply.status).toBe(415);
    },
  );

  it.each(['application/json; charset=utf-8', 'application/json; version=1', 'application/vnd.pos+json'])(
    'of type "%s" is taken',
    async (type) => {
      const body = JSON.stringify({ ...earn, external_ref: `TYPE-${type}` });
      const reply = await bridge.call('POST', '/v1/transactions/earn', body, { 'content-type': type });
      expect(reply.status).toBe(202);
    },
  );

  it('that says that it is compressed is 415, which names the header', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const reply = await bridge.call('POST', '/v1/transactions/earn', JSON.stringify(earn), headers);
    expect(reply.status).toBe(415);
    expect(reply.json.error.message).toContain('Content-Encoding');
  });

  it('that says that it is not compressed is taken', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    const body = JSON.stringify({ ...earn, external_ref: 'CODING-1' });
    const reply = await bridge.call('POST', '/v1/transactions/earn', body, headers);
    expect(reply.status).toBe(202);
  });

  it('that is nested thousands deep is 400, not a fault', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const body = JSON.stringify(earn).replace('{', `{"metadata":${deep},`);
    const reply = await bridge.call('POST', '/v1/transactions/earn', body);
    expect(reply.status).toBe(400);
    expect(errorBodySchema.parse(reply.json).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'is nested too deeply',
    });
    expect(bridge.faults).toEqual([]);
  });

  it('that ends early saves nothing', async () => {
    const before = bridge.core.saved.length;
    await sendRaw(
      bridge.port,
      `POST /v1/transactions/earn HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"identifier":{"loyalty_id":"LC-1"},"external_ref":"CUT","amount_minor":1}',
    );
    expect(bridge.core.saved).toHaveLength(before);
  });
});

describe('the paths', () => {
  it('unknown ones are 404, wrong methods 405 with what is allowed', async () => {
    expect((await bridge.call('GET', '/v1/nothing')).status).toBe(404);
    expect((await bridge.call('GET', '/v1/transactions/a/b/c')).status).toBe(404);
    const wrong = await bridge.call('DELETE', '/v1/transactions/earn');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST');
    expect((await bridge.call('GET', '/v1/transactions/earn')).status).toBe(405);
    const posted = await bridge.call('POST', '/v1/transactions', {});
    expect(posted.status).toBe(405);
    expect(posted.headers.get('allow')).toBe('GET');
  });

  it('a part that is not UTF-8 is 400 and names the part', async () => {
    const answer = await rawGet(
      `Host: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n`,
      '/v1/transactions/%ff',
    );
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('transaction_id');
  });

  it('answers a fault of its own with 500 and tells the log', async () => {
    bridge.core.fault = new Error('disk on fire');
    const reply = await bridge.call('POST', '/v1/transactions/earn', earn);
    bridge.core.fault = null;
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.json)).not.toContain('disk on fire');
    expect(bridge.faults).toHaveLength(1);
  });
});
