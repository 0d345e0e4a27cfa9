import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveBridge } from '../../app/bridge/serve.ts';
import type { LoopbackServer } from '../../app/http/loopback-server.ts';
import { answerByWebHandler } from '../../app/http/web-request.ts';
import { heardSocket } from '../support/heard-socket.ts';

/** Of real time: sockets on a busy machine take as long as they take. */
const patience = { timeout: 30_000 };
/** So long a connection of nobody known may stay. */
const strangerLifeMs = 15_000;

let server: LoopbackServer;
let socket: Socket;
/** What the bridge has carried out, and the control API. */
let done: string[];
let slow: Promise<void>;
beforeEach(async () => {
  done = [];
  slow = Promise.resolve();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  server = await serveBridge({
    port: 0,
    bridge: async () => {
      await slow;
      done.push('bridge');
      return { status: 200, headers: {}, body: null };
    },
    control: answerByWebHandler(async ({ headers }) => {
      done.push('control');
      const isKnown = headers.get('authorization') === 'Bearer control-key';
      return Response.json({ clock: 'real' }, { status: isKnown ? 200 : 401 });
    }),
  });
});
afterEach(async () => {
  socket.destroy();
  vi.useRealTimers();
  await server.close(500);
});

/** Asks the control API on a new connection, and waits for the answer. */
async function ask(key: string) {
  const line = await heardSocket(server.port);
  socket = line.socket;
  const head = `Host: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${key}`;
  const again = () => socket.write(`GET /_sandbox/ HTTP/1.1\r\n${head}\r\n\r\n`);
  again();
  await vi.waitUntil(() => line.heard() !== '', patience);
  return { ...line, again };
}

describe('a connection to the control API', () => {
  it('stays for 15 seconds and longer when its caller has shown the control key', async () => {
    const { again, heard, isClosed } = await ask('control-key');
    await vi.advanceTimersByTimeAsync(strangerLifeMs + 1_000);
    again();
    await vi.waitUntil(() => isClosed() || heard().split('HTTP/1.1 200 ').length === 3, patience);
    expect(isClosed()).toBe(false);
  });

  it('is closed with the refusal of another key', async () => {
    const { heard, isClosed } = await ask('another-key');
    expect(heard().toLowerCase()).toMatch(/^http\/1\.1 401 .*connection: close/s);
    await vi.waitUntil(isClosed, patience);
  });

  it('is used in the order of its calls: one to the control API does not overtake a slow write', async () => {
    const writing = Promise.withResolvers<void>();
    slow = writing.promise;
    const line = await heardSocket(server.port);
    socket = line.socket;
    const head = `HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer control-key`;
    socket.write(`POST /v1 ${head}\r\nContent-Length: 0\r\n\r\nPOST /_sandbox/ ${head}\r\nContent-Length: 2\r\n\r\n{}`);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual([]);
    writing.resolve();
    await vi.waitUntil(() => line.heard().split('HTTP/1.1 200 ').length === 3, patience);
    expect(done).toEqual(['bridge', 'control']);
  });
});
