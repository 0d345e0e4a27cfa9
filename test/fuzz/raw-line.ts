import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { partsOf } from './bytes.ts';
import type { RawMessage } from './http-messages.ts';

/** So long an answer is waited for; whoever sends half a request gets none. */
const patienceMs = 250;
/** As much of an answer as is looked at. */
const mostAnswerBytes = 64 * 1024;

/** Sends a message as it says. @returns what came back, as text */
export async function sendMessage(port: number, { bytes, delivery }: RawMessage): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    if (received.length < mostAnswerBytes) received += text;
  });
  // A server that has answered may close before all was sent.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.once('end', () => resolve());
  });
  for (const [index, part] of partsOf(bytes, delivery.parts).entries()) {
    if (index > 0) await pause(delivery.pauseMs);
    if (!socket.writable) break;
    socket.write(part);
  }
  if (delivery.end === 'half_close') socket.end();
  if (delivery.end === 'cut') socket.destroy();
  const patience = new AbortController();
  await Promise.race([closed, pause(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
  socket.destroy();
  return received;
}

/** The statuses of all answers that came on one line. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
