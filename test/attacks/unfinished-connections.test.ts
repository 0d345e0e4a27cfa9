import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { newDataDir } from '../support/agent-process.ts';
import { builtCli } from '../support/built-cli.ts';

/** A program of ours that may have so few files and connections open, as a careful or an old system gives it. */
async function startWithFewFiles(...args: readonly string[]) {
  const child = spawn('sh', ['-c', 'ulimit -n 600; exec "$@"', 'sh', process.execPath, builtCli(), ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, ready: JSON.parse(String(line)) };
}

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Opens connections that never come to the end of a request. @returns how many of them the other side has left open */
async function openUnfinished(baseUrl: string, count: number): Promise<() => number> {
  const { port } = new URL(baseUrl);
  const head = `POST /v1/transactions/earn HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  const beginnings = ['', head, `${head}Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`, 'GET'];
  const closed = new Set<Socket>();
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    opened.push(socket);
    socket.resume();
    socket.on('error', () => closed.add(socket));
    socket.on('close', () => closed.add(socket));
    socket.on('end', () => closed.add(socket));
    await once(socket, 'connect');
    socket.write(beginnings[index % beginnings.length] ?? '');
  }
  return () => opened.length - closed.size;
}

const sale = (reference: string) => ({
  identifier: { loyalty_id: 'LC-1001' },
  external_ref: reference,
  amount_minor: 1_000,
  currency: 'KWD',
});

describe.skipIf(process.platform === 'win32')('connections that never finish', () => {
  it('keep no sale out, and no line that a token has opened', async () => {
    const dataDir = newDataDir();
    const { child, ready } = await startWithFewFiles('agent', '--port', '0', '--data-dir', dataDir);
    const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
    const earn = (reference: string) => {
      const body = JSON.stringify(sale(reference));
      const signal = AbortSignal.timeout(5_000);
      return fetch(`${ready.base_url}/transactions/earn`, { method: 'POST', headers, body, signal });
    };
    const events = await fetch(`${ready.base_url}/agent/events`, { headers });
    const stillOpen = await openUnfinished(ready.base_url, 800);
    for (const reference of ['R-1', 'R-2', 'R-3']) expect((await earn(reference)).status).toBe(202);
    await expect.poll(stillOpen, { timeout: 5_000 }).toBeLessThan(410);
    const told = await events.body?.getReader().read();
    expect(told?.done).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'close');
    rmSync(dataDir, { recursive: true });
  });

  it('do not silence the sandbox, either', async () => {
    const { child, ready } = await startWithFewFiles('sandbox', '--port', '0');
    const stillOpen = await openUnfinished(ready.base_url, 800);
    const answer = await fetch(`${ready.base_url}/customers/identify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ loyalty_id: 'LC-1001' }),
      signal: AbortSignal.timeout(5_000),
    });
    expect(answer.status).toBe(200);
    await expect.poll(stillOpen, { timeout: 5_000 }).toBeLessThan(410);
    child.kill('SIGKILL');
    await once(child, 'close');
  });
});
