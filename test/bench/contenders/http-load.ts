// Calls an HTTP service as fast as it answers, over raw sockets: a client that costs little leaves the figure to the
// service. Each connection waits for its answer before it sends the next call.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import { answer, contenderInput } from '../contender.ts';

const input = contenderInput(
  z.object({
    port: z.int(),
    path: z.string(),
    apiKey: z.string(),
    /** `{n}` is replaced by the call's number. */
    body: z.string(),
    firstNumber: z.int(),
    calls: z.int(),
    connections: z.int(),
    /** What every answer must be, so that no error is counted as work done. */
    status: z.int(),
  }),
);

const head = [
  `Host: 127.0.0.1:${input.port}`,
  `Authorization: Bearer ${input.apiKey}`,
  'Content-Type: application/json',
  'Accept: application/json',
].join('\r\n');

let number = input.firstNumber;
let left = input.calls;

function nextCall(): string {
  const body = input.body.replaceAll('{n}', String(number));
  number += 1;
  return `POST ${input.path} HTTP/1.1\r\n${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** How many bytes the answer at the start of `received` has; null while its head is not complete. */
function answerLength(received: Buffer): number | null {
  const end = received.indexOf(endOfHead);
  if (end === -1) return null;
  const text = received.toString('latin1', 0, end);
  if (!text.startsWith(`HTTP/1.1 ${input.status} `)) throw new Error(`Not ${input.status}: ${received.toString()}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`An answer without its length: ${text}`);
  return end + endOfHead.length + Number(length);
}

function run(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    function send(): void {
      if (left === 0) {
        resolve();
        return;
      }
      left -= 1;
      socket.write(nextCall());
    }
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      try {
        const length = answerLength(received);
        if (length === null || received.length < length) return;
        if (received.length > length) throw new Error('More came than was asked for');
      } catch (error) {
        reject(error);
        return;
      }
      received = Buffer.alloc(0);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The service hung up')));
    send();
  });
}

const sockets = Array.from({ length: input.connections }, () =>
  connect({ host: '127.0.0.1', port: input.port, noDelay: true }),
);
await Promise.all(sockets.map((socket) => once(socket, 'connect')));
// This process never sleeps: to wake a sleeping client costs its service as much as half an answer, and a slower service
// would pay that more often.
let spinning = true;
(function spin(): void {
  if (spinning) setImmediate(spin);
})();
const startMs = performance.now();
await Promise.all(sockets.map(run));
const tookMs = performance.now() - startMs;
spinning = false;
for (const socket of sockets) socket.removeAllListeners('close').destroy();
await answer({ callsPerSecond: (input.calls / tookMs) * 1_000 });
