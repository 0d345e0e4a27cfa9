import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ServiceClient } from '../../app/client/client.ts';
import { failureOf } from '../../app/client/failure-causes.ts';
import { networkDispatcher } from '../../app/client/network-dispatcher.ts';
import { type ExchangingService, inProcessDispatcher } from '../../app/service/faces/in-process.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { until } from '../support/core-shop.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { standardLine } from '../support/standard-line.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Listens on a port of its own; its sockets are cut when the test is over. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

interface ClientPart {
  readonly dispatcher?: Dispatcher;
  readonly answerTimeoutMs?: number;
  readonly clock?: ManualClock;
}

function client(baseUrl: string, more: ClientPart = {}): ServiceClient {
  const dispatcher = more.dispatcher ?? networkDispatcher(standardLine);
  closing.unshift(() => dispatcher.destroy());
  return new ServiceClient({
    dispatcher,
    baseUrl,
    apiKey: 'loyalty_pk_test_causes',
    clock: more.clock ?? new ManualClock(),
    answerTimeoutMs: more.answerTimeoutMs ?? 5_000,
  });
}

const earn = { path: '/transactions/earn', body: '{"external_ref":"R-1"}', idempotencyKey: null };

/** One earn against a TCP server that does as it likes with the socket once a request has begun. */
async function againstSocket(act: (socket: Socket) => void, more: ClientPart = {}) {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => act(socket));
    }),
  );
  return await client(`http://127.0.0.1:${port}/v1`, more).send('earn', earn);
}

/** One earn against an HTTP server. */
async function againstHttp(listener: RequestListener) {
  const port = await listen(createHttpServer(listener));
  return await client(`http://127.0.0.1:${port}/v1`).send('earn', earn);
}

describe('no connection was made, so nothing was sent', () => {
  it('when the port is closed', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await closing.pop()?.();
    expect(await client(`http://127.0.0.1:${port}/v1`).send('earn', earn)).toMatchObject({
      kind: 'unknown',
      cause: 'offline',
      recorded: 'no',
    });
  });

  it('when every address of a name is closed', async () => {
    const port = await listen(createTcpServer());
    await closing.pop()?.();
    expect(await client(`http://localhost:${port}/v1`).send('earn', earn)).toMatchObject({
      cause: 'offline',
      recorded: 'no',
    });
  });

  it('when the name is not known', async () => {
    expect(await client('http://no-such-service.invalid/v1').send('earn', earn)).toMatchObject({
      cause: 'offline',
      recorded: 'no',
    });
  });

  it('when the sandbox in this process is told to be offline, although it has begun the request', async () => {
    const refuses: ExchangingService = {
      exchange: () => Promise.resolve({ kind: 'no_connection' }),
      hostClock: new ManualClock(),
    };
    const dispatcher = inProcessDispatcher(refuses);
    expect(await client('http://sandbox.example/v1', { dispatcher }).send('earn', earn)).toMatchObject({
      cause: 'offline',
      recorded: 'no',
    });
  });

  it('when a connection is not made in time', async () => {
    const dispatcher = new Agent({
      connect: { timeout: 200 },
    });
    // TEST-NET-1 (RFC 5737) leads nowhere, or is unreachable: either is "not connected".
    expect(await client('http://192.0.2.1:9/v1', { dispatcher }).send('earn', earn)).toMatchObject({
      cause: 'offline',
      recorded: 'no',
    });
  });
});

describe('the line broke, so it may have been recorded', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['before the answer', (socket) => socket.destroy()],
    ['before the answer, by a reset', (socket) => socket.resetAndDestroy()],
    ['in the middle of the head', (socket) => socket.end('HTTP/1.1 202 Acc')],
    [
      'in the middle of the body',
      (socket) =>
        socket.end(
          'HTTP/1.1 202 Accepted\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"transaction_id":',
        ),
    ],
    [
      'in the middle of a chunk',
      (socket) => socket.end('HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"transaction_id":'),
    ],
  ])('%s', async (_, act) => {
    expect(await againstSocket(act)).toMatchObject({
      kind: 'unknown',
      cause: 'offline',
      recorded: 'maybe',
      error: null,
    });
  });

  it.each<[string, string]>([
    ['silent', ''],
    ['silent after the head', 'HTTP/1.1 202 Accepted\r\ncontent-length: 90\r\n\r\n{"transaction_id"'],
  ])('when the service is %s for longer than the agent waits', async (_, head) => {
    const outcome = await againstSocket((socket) => socket.write(head), { answerTimeoutMs: 300 });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout', recorded: 'maybe' });
  });

  it('when the service dribbles its answer for ever', async () => {
    const clock = new ManualClock();
    const outcome = againstSocket(
      (socket) => {
        socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 1000000\r\n\r\n');
        const dribbling = setInterval(() => socket.write(' '), 20);
        socket.once('close', () => clearInterval(dribbling));
      },
      { answerTimeoutMs: 5_000, clock },
    );
    await until(() => clock.timerCount === 1);
    clock.advance(4_999);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(clock.timerCount).toBe(1);
    clock.advance(1);
    expect(await outcome).toMatchObject({ kind: 'unknown', cause: 'timeout', recorded: 'maybe' });
  });

  it('when the service says for ever that its answer is to come', async () => {
    const clock = new ManualClock();
    let said = 0;
    const outcome = againstSocket(
      (socket) => {
        const saying = setInterval(() => {
          socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
          said += 1;
        }, 20);
        socket.once('close', () => clearInterval(saying));
      },
      { answerTimeoutMs: 5_000, clock },
    );
    await until(() => clock.timerCount === 1);
    clock.advance(4_999);
    const before = said;
    await until(() => said > before + 2);
    clock.advance(1);
    expect(await outcome).toMatchObject({ kind: 'unknown', cause: 'timeout', recorded: 'maybe' });
  });
});

describe('it is not the service', () => {
  it.each<[string, RequestListener]>([
    [
      'a captive portal’s page',
      (_, response) => response.setHeader('content-type', 'text/html').end('<html>Welcome</html>'),
    ],
    [
      'a captive portal’s redirect',
      (_, response) => response.writeHead(302, { location: 'http://portal.example/login' }).end(),
    ],
    [
      'a redirect with a body in the shape of an error',
      (_, response) =>
        response.writeHead(302).end('{"error":{"code":"INTERNAL","message":"","retryable":true,"request_id":"r"}}'),
    ],
    ['a proxy’s 404', (_, response) => response.writeHead(404).end('<h1>Not Found</h1>')],
    ['a proxy’s 400 in JSON of its own', (_, response) => response.writeHead(400).end('{"error":"bad request"}')],
    ['a proxy’s 502', (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
    ['an empty 202', (_, response) => response.writeHead(202).end()],
    ['a 202 that is not JSON', (_, response) => response.writeHead(202).end('ok')],
    [
      'a 202 that breaks the contract',
      (_, response) => response.writeHead(202).end('{"transaction_id":7,"status":"pending","duplicate":false}'),
    ],
    ['a 202 without an id', (_, response) => response.writeHead(202).end('{"status":"pending","duplicate":false}')],
    [
      'a 202 of a status that is none',
      (_, response) => response.writeHead(202).end('{"transaction_id":"t","status":"maybe","duplicate":false}'),
    ],
    [
      'a good body under a status that the call does not have',
      (_, response) => response.writeHead(201).end('{"transaction_id":"t","status":"pending","duplicate":false}'),
    ],
    ['a 204', (_, response) => response.writeHead(204).end()],
    [
      'an error with a code that is no text',
      (_, response) =>
        response.writeHead(422).end('{"error":{"code":1,"message":"","retryable":false,"request_id":"r"}}'),
    ],
    [
      'an error without a request_id',
      (_, response) =>
        response.writeHead(422).end('{"error":{"code":"CARD_NOT_ELIGIBLE","message":"","retryable":false}}'),
    ],
  ])('%s', async (_, listener) => {
    expect(await againstHttp(listener)).toMatchObject({
      kind: 'unknown',
      cause: 'not_the_service',
      recorded: 'maybe',
      error: null,
    });
  });

  it('something that does not speak HTTP', async () => {
    expect(await againstSocket((socket) => socket.end('220 mail.example ESMTP\r\n'))).toMatchObject({
      kind: 'unknown',
      cause: 'not_the_service',
      recorded: 'maybe',
    });
  });

  it('an answer without an end', async () => {
    const outcome = await againstHttp((_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      const block = Buffer.alloc(1024 * 1024, 0x20);
      const pour = (): void => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once('drain', pour);
      };
      response.on('error', () => undefined);
      pour();
    });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'not_the_service', recorded: 'maybe' });
  });
});

describe('the line is not secure', () => {
  function selfSigned(): { readonly key: Buffer; readonly cert: Buffer } | null {
    try {
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-keyout',
          folder.file('key.pem'),
          '-out',
          folder.file('cert.pem'),
          '-subj',
          '/CN=elsewhere.example',
          '-days',
          '2',
        ],
        { stdio: 'ignore' },
      );
    } catch {
      return null;
    }
    return { key: readFileSync(folder.file('key.pem')), cert: readFileSync(folder.file('cert.pem')) };
  }
  const pair = selfSigned();
  if (pair === null) console.warn('A self-signed certificate was not tried: openssl is not here.');

  it.runIf(pair !== null)('when the certificate is signed by itself', async () => {
    let requests = 0;
    const port = await listen(
      createTlsServer({ ...pair }, () => {
        requests += 1;
      }),
    );
    expect(await client(`https://127.0.0.1:${port}/v1`).send('earn', earn)).toMatchObject({
      kind: 'unknown',
      cause: 'tls',
      recorded: 'no',
    });
    expect(requests).toBe(0);
  });

  it.runIf(pair !== null)('when the certificate is somebody else’s', async () => {
    const port = await listen(createTlsServer({ ...pair }));
    const dispatcher = new Agent({ connect: { ca: pair?.cert ?? '' } });
    expect(await client(`https://127.0.0.1:${port}/v1`, { dispatcher }).send('earn', earn)).toMatchObject({
      cause: 'tls',
      recorded: 'no',
    });
  });

  it('when the port speaks plain HTTP', async () => {
    const port = await listen(createHttpServer((_, response) => response.end('{}')));
    expect(await client(`https://127.0.0.1:${port}/v1`).send('earn', earn)).toMatchObject({
      cause: 'tls',
      recorded: 'no',
    });
  });
});

describe('a cause that no test can make with a socket', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });
  it.each([
    ['EHOSTUNREACH', 'offline', 'none'],
    ['ENETUNREACH', 'offline', 'none'],
    ['EAI_AGAIN', 'offline', 'none'],
    ['UND_ERR_CONNECT_TIMEOUT', 'offline', 'none'],
    ['EPIPE', 'offline', 'maybe'],
    ['ETIMEDOUT', 'timeout', 'maybe'],
    ['CERT_HAS_EXPIRED', 'tls', 'none'],
    ['CERT_NOT_YET_VALID', 'tls', 'none'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'none'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'none'],
    ['HPE_INVALID_CONSTANT', 'not_the_service', 'maybe'],
    ['SOMETHING_NEW', 'offline', 'maybe'],
  ])('%s is %s, bytes sent: %s', (code, cause, sent) => {
    expect(failureOf(coded(code))).toEqual({ cause, sent });
    expect(failureOf(new TypeError('fetch failed', { cause: coded(code) }))).toEqual({ cause, sent });
  });

  it('several addresses are not reached only if none of them was', () => {
    expect(failureOf(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]))).toEqual({
      cause: 'offline',
      sent: 'none',
    });
    expect(failureOf(new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]))).toEqual({
      cause: 'offline',
      sent: 'maybe',
    });
  });

  it.each([undefined, null, 'text', 7, new Error('no code'), new AggregateError([])])(
    '%s may have been sent',
    (error) => {
      expect(failureOf(error).sent).toBe('maybe');
    },
  );
});
