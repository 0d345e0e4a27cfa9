import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { provenWords } from '../../shared/till/session-words.ts';

const sessionSchema = z.object({ session: z.string(), secret: z.string() });
export type Session = z.output<typeof sessionSchema>;

/** The line of a page that has proven its session: raw, so that bytes can go out which no browser sends. */
export interface MetPage {
  readonly socket: Socket;
  isOpen(): boolean;
  close(): void;
}

/** Opens the printed address and makes its session. */
export async function newSession(url: string): Promise<Session> {
  const answer = await fetch(url, { redirect: 'manual' });
  const token = decodeURIComponent((answer.headers.get('location') ?? '').split('#open=')[1] ?? '');
  const { page, next } = await openLine(new URL(url).origin);
  await next();
  page.send(JSON.stringify({ token }));
  const made = sessionSchema.parse(await next());
  page.terminate();
  return made;
}

export async function meet(origin: string, { session, secret }: Session): Promise<MetPage> {
  const { page, socket, next } = await openLine(origin);
  const { challenge: agentChallenge } = z.object({ challenge: z.string() }).parse(await next());
  const pageChallenge = 'ab'.repeat(32);
  const words = provenWords('page', { origin, session, agentChallenge, pageChallenge });
  const proof = createHmac('sha256', Buffer.from(secret, 'hex')).update(words).digest('hex');
  page.send(JSON.stringify({ session, challenge: pageChallenge, proof }));
  z.object({ proof: z.string() }).parse(await next());
  return { socket, isOpen: () => page.readyState === page.OPEN, close: () => page.terminate() };
}

async function openLine(origin: string) {
  const page = new WebSocket(`${origin.replace('http', 'ws')}/till`, { headers: { origin } });
  page.on('error', () => undefined);
  const arrived: unknown[] = [];
  page.on('message', (data: Buffer) => {
    if (arrived.length < 4) arrived.push(JSON.parse(data.toString()));
    page.emit('arrived');
  });
  const [answer] = await once(page, 'upgrade');
  return {
    page,
    socket: answer.socket as Socket,
    next: async (): Promise<unknown> => {
      while (arrived.length === 0) await once(page, 'arrived', { signal: AbortSignal.timeout(5_000) });
      return arrived.shift();
    },
  };
}
