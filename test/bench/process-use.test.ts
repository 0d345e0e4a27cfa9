import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readProcessUse } from './process-use.ts';

function use() {
  const read = readProcessUse(process.pid);
  if (read === null) throw new Error('The system does not tell');
  return read;
}

/** @returns how many bytes came through a socket */
async function sendAndReceive(bytes: number): Promise<number> {
  const server = createServer((socket) => socket.end(Buffer.alloc(bytes))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = 0;
  for await (const chunk of socket) received += (chunk as Buffer).length;
  server.close();
  return received;
}

describe.skipIf(process.platform !== 'linux')('what a process uses', () => {
  it('counts the time on a processor, and none while it sleeps', async () => {
    const before = use().cpuMs;
    const untilMs = performance.now() + 100;
    while (performance.now() < untilMs) JSON.stringify(process.versions);
    const worked = use().cpuMs;
    await sleep(300);
    const slept = use().cpuMs;
    // Other programs may have had the processor for a part of it.
    expect(worked - before).toBeGreaterThan(20);
    expect(slept - worked).toBeLessThan(100);
  });

  it('counts each time that it was woken', async () => {
    const before = use().wakeUps;
    for (let nap = 0; nap < 20; nap += 1) await sleep(5);
    expect(use().wakeUps - before).toBeGreaterThanOrEqual(20);
  });

  it('counts what is written to a disk, and not what is sent', async () => {
    const folder = mkdtempSync(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'process-use-'));
    try {
      const beforeSending = use().writtenBytes;
      expect(await sendAndReceive(500_000)).toBe(500_000);
      expect(use().writtenBytes - beforeSending).toBeLessThan(500_000);
      const before = use().writtenBytes;
      const file = openSync(join(folder, 'file'), 'w');
      writeSync(file, Buffer.alloc(1_000_000));
      fsyncSync(file);
      closeSync(file);
      expect(use().writtenBytes - before).toBeGreaterThanOrEqual(1_000_000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
