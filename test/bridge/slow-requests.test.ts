import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BridgeUnderTest, localToken, startBridge } from '../support/bridge-server.ts';

const limitMs = 15_000;

let bridge: BridgeUnderTest;
let sockets: Socket[] = [];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  bridge = await startBridge();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  vi.useRealTimers();
  await bridge.close();
});

interface Caller {
  readonly socket: Socket;
  /** All that came back so far. */
  readonly answer: () => string;
  readonly isClosed: () => boolean;
}

async function call(text: string): Promise<Caller> {
  const socket = connect(bridge.port, '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  let isClosed = false;
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  socket.write(text);
  await arrive();
  return { socket, answer: () => answer, isClosed: () => isClosed };
}

/** Everything that was written goes through the sockets, and the bridge works on it. */
async function arrive(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(durationMs: number): Promise<void> {
  vi.advanceTimersByTime(durationMs);
  await arrive();
}

const token = `Authorization: Bearer ${localToken}\r\n`;
const head = (more: string) => `POST /v1/customers/identify HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\n${more}`;
const status = () => `GET /v1/agent/status HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\n${token}\r\n`;
const body = JSON.stringify({ loyalty_id: 'LC-1001' });
const announced = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

describe('a request that does not come whole', () => {
  it.each([
    ['without its line', () => 'POST /v1'],
    ['without the end of its head', () => head(token)],
    ['without its body', () => head(`${token}${announced}`)],
    ['without the end of its body', () => head(`${token}${announced}{"loyalty`)],
    ['a stranger sends, without its body', () => head(announced)],
  ])('%s is told so after 15 seconds, and its connection is closed', async (_, text) => {
    const { answer, isClosed } = await call(text());
    const toldBefore = answer();
    await pass(limitMs - 100);
    expect(answer()).toBe(toldBefore);
    await pass(200);
    await expect.poll(isClosed).toBe(true);
    if (toldBefore === '') expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('on a connection that was in use before is told so, too', async () => {
    const { socket, answer } = await call(status());
    expect(answer()).toMatch(/^HTTP\/1\.1 200 /);
    await pass(limitMs * 3);
    socket.write(head(`${token}${announced}{`));
    await arrive();
    await pass(limitMs - 100);
    expect(answer()).not.toContain('HTTP/1.1 408 ');
    await pass(limitMs);
    expect(answer()).toContain('HTTP/1.1 408 ');
  });
});

describe('a connection that is in use', () => {
  it('stays when its requests come whole, however many and however late', async () => {
    const { socket, answer, isClosed } = await call(status());
    for (const pauseMs of [0, 1, limitMs - 1, limitMs, 2 * limitMs]) {
      await pass(pauseMs);
      socket.write(status());
      await arrive();
    }
    await pass(limitMs);
    expect(answer().match(/HTTP\/1\.1 200 /g)).toHaveLength(6);
    expect(isClosed()).toBe(false);
  });

  it('has its answer when the last byte comes just in time', async () => {
    const { socket, answer } = await call(head(`${token}${announced}${body.slice(0, -1)}`));
    await pass(limitMs - 100);
    socket.write(body.slice(-1));
    await arrive();
    // The core behind this bridge has no line.
    expect(answer()).toMatch(/^HTTP\/1\.1 504 /);
    await pass(2 * limitMs);
    expect(answer()).not.toContain('408');
  });
});

it('a connection on which nothing comes is closed without a word', async () => {
  const { answer, isClosed } = await call('');
  await pass(limitMs);
  await expect.poll(isClosed).toBe(true);
  expect(answer()).toBe('');
});
