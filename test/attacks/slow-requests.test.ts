import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundConnections, withoutArrivalChecks } from '../../app/http/bounded-connections.ts';

/** Of real time: sockets on a busy machine take as long as they take. */
const patience = { timeout: 30_000 };

let server: Server;
let begun: number;
const opened: Socket[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  begun = 0;
  server = createServer(withoutArrivalChecks);
  const connections = boundConnections(server);
  server.on('request', (incoming, response) => {
    begun += 1;
    connections.begin(incoming);
    if (incoming.headers.authorization === 'known') connections.keep(response);
    incoming.resume();
    incoming.on('end', () => response.end('whole'));
  });
  server.on('clientError', (_, socket) => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  vi.useRealTimers();
  for (const socket of opened.splice(0)) socket.destroy();
  server.close();
});

interface Caller {
  readonly socket: Socket;
  /** All that has come back. */
  readonly heard: () => string;
  readonly isClosed: () => boolean;
}

async function call(first: string): Promise<Caller> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  opened.push(socket);
  let text = '';
  let closed = false;
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  socket.on('error', () => undefined);
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      closed = true;
    });
  }
  await once(socket, 'connect');
  socket.write(first);
  return { socket, heard: () => text, isClosed: () => closed };
}

const head = (authorization: string, length: number): string =>
  `POST / HTTP/1.1\r\nHost: till\r\nAuthorization: ${authorization}\r\nContent-Length: ${length}\r\n\r\n`;

describe('a request that comes slowly', () => {
  it('is ended after 15 seconds, also from a caller who is known', async () => {
    const { socket, heard, isClosed } = await call(`${head('known', 2)}ok`);
    await vi.waitUntil(() => heard().includes('whole'), patience);
    socket.write(`${head('known', 900)}{`);
    // The head has come: the server knows of the body that is missing.
    await vi.waitUntil(() => begun === 2, patience);
    await vi.advanceTimersByTimeAsync(14_000);
    expect([heard().includes('408'), isClosed()]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(16_000);
    await vi.waitUntil(isClosed, patience);
    expect(heard()).toContain('408');
  });
});

describe('a connection of which nothing more comes', () => {
  it('stays open for a caller who is known, and ends after 15 seconds for everybody else', async () => {
    const known = await call(`${head('known', 2)}ok`);
    const stranger = await call(`${head('nobody', 2)}ok`);
    for (const { heard } of [known, stranger]) await vi.waitUntil(() => heard().includes('whole'), patience);
    await vi.advanceTimersByTimeAsync(15_000);
    await vi.waitUntil(stranger.isClosed, patience);
    expect(known.isClosed()).toBe(false);
    known.socket.write(`${head('known', 2)}ok`);
    await vi.waitUntil(() => known.heard().split('whole').length === 3, patience);
  });
});
