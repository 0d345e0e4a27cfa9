import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BridgeUnderTest, localToken, startBridge } from '../support/bridge-server.ts';
import { sendRaw, statusOf } from '../support/raw-http.ts';

let bridge: BridgeUnderTest;
beforeAll(async () => {
  bridge = await startBridge();
});
afterAll(() => bridge.close());

/**
 * What comes back on one connection that the caller would like to keep, and whether it was closed with it.
 *
 * @param ending `closed` waits until the other side has closed it; `kept` looks for a while whether it does
 */
function answerTo(
  headers: string,
  ending: 'closed' | 'kept',
): Promise<{ readonly answer: string; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(bridge.port, '127.0.0.1');
    let answer = '';
    const end = (isClosed: boolean) => {
      socket.destroy();
      resolve({ answer, isClosed });
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (ending === 'kept') setTimeout(() => end(false), 200);
    });
    socket.on('end', () => end(true));
    socket.write(`GET /v1/agent/status HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\n${headers}\r\n`);
  });
}

describe('a connection', () => {
  it.each([
    ['no token', ''],
    ['a wrong one', 'Authorization: Bearer wrong\r\n'],
    ['a foreign origin', `Authorization: Bearer ${localToken}\r\nOrigin: https://evil.example\r\n`],
  ])('is closed with the refusal of %s', async (_, headers) => {
    const { answer, isClosed } = await answerTo(headers, 'closed');
    expect(answer).toMatch(/^HTTP\/1\.1 40[13] /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(isClosed).toBe(true);
  });

  it('stays for whoever has shown a token', async () => {
    const { answer, isClosed } = await answerTo(`Authorization: Bearer ${localToken}\r\n`, 'kept');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(isClosed).toBe(false);
  });

  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400],
    ['headers that are too large', `GET /v1/agent/status HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['no Host header', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('with %s gets an error in the shape of all others', async (_, bytes, status) => {
    const answer = await sendRaw(bridge.port, bytes);
    expect(statusOf(answer)).toBe(status);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
    const { error } = JSON.parse(body);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    expect(head).toContain(error.request_id);
  });

  describe('with bytes behind a request that are no other one', () => {
    const body = JSON.stringify({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 10 });
    let earn = '';
    beforeAll(() => {
      const lines = [
        'POST /v1/transactions/earn HTTP/1.1',
        `Host: 127.0.0.1:${bridge.port}`,
        `Authorization: Bearer ${localToken}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      earn = `${lines.join('\r\n')}\r\n\r\n${body}`;
    });
    /** What comes back until the other side closes the connection. */
    const answerUntilClosed = (text: string, behindFirstAnswer = ''): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(bridge.port, '127.0.0.1');
        let answer = '';
        socket.setEncoding('utf8').on('data', (part: string) => {
          if (answer === '') socket.write(behindFirstAnswer);
          answer += part;
        });
        socket.on('close', () => resolve(answer));
        socket.write(text);
      });

    it.each([
      ['the end of a text in C', '\0'],
      ['a request line that is none', 'nonsense\r\n\r\n'],
    ])('is answered what became of the request, and closed (%s)', async (_, behind) => {
      const answer = await answerUntilClosed(earn + behind);
      expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 202']);
      expect(answer.toLowerCase()).toContain('connection: close');
      expect(answer).toContain('"status":"pending"');
    });

    it('is answered all requests before them', async () => {
      const answer = await answerUntilClosed(`${earn}${earn}\0`);
      expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 202', 'HTTP/1.1 202']);
      expect(answer.toLowerCase().match(/connection: [a-z-]+/g)).toEqual([
        'connection: keep-alive',
        'connection: close',
      ]);
    });

    it('is answered all requests before them, also where a quick one has its answer behind a slow one', async () => {
      const slow = Promise.withResolvers<void>();
      vi.spyOn(bridge.core, 'readTransactionsByReference').mockImplementationOnce(async () => {
        await slow.promise;
        return bridge.core.listOutcome;
      });
      const read = (path: string) =>
        `GET /v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${localToken}\r\n\r\n`;
      const rest = () => new Promise((resolve) => setTimeout(resolve, 50));
      const ended = new Promise<string>((resolve) => {
        const socket = connect(bridge.port, '127.0.0.1');
        let answer = '';
        socket.setEncoding('utf8').on('data', (part: string) => {
          answer += part;
        });
        socket.on('close', () => resolve(answer));
        socket.write(read('/transactions?external_ref=R-404') + read('/nothing'));
        void rest()
          .then(() => socket.write('\0'))
          .then(rest)
          .then(() => slow.resolve());
      });
      expect((await ended).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 504', 'HTTP/1.1 404']);
    });

    it('ends a stream of events, and writes nothing into it', async () => {
      const head = `GET /v1/agent/events HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\n`;
      const answer = await answerUntilClosed(`${head}Authorization: Bearer ${localToken}\r\n\r\n`, '\0');
      expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
    });
  });
});
