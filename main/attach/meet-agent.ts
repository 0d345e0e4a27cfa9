import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { type AttachFacts, attachOrigin, windowSecret } from '../../app/http/attach-file.ts';
import { hmac } from '../../app/http/hmac.ts';
import { provenWords } from '../../shared/till/session-words.ts';

const challengeSchema = z.object({ challenge: z.string().regex(/^[0-9a-f]{64}$/) });
const proofSchema = z.object({ proof: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * Proves to the program at an agent's port that this window could read the agent's key. Lets the other end prove that
 * it made the key, and believes nothing before.
 *
 * @param next returns the messages as they come
 * @returns whether it is the agent
 */
export async function meetAgent(
  socket: Pick<WebSocket, 'send'>,
  next: () => Promise<string>,
  { facts, name }: { readonly facts: AttachFacts; readonly name: string },
): Promise<boolean> {
  const asked = challengeSchema.safeParse(parsed(await next()));
  if (!asked.success) return false;
  const secret = windowSecret(facts.key, name);
  const meeting = {
    origin: attachOrigin(facts.port),
    session: name,
    agentChallenge: asked.data.challenge,
    pageChallenge: randomBytes(32).toString('hex'),
  };
  const proof = hmac(secret, provenWords('page', meeting));
  socket.send(JSON.stringify({ session: name, challenge: meeting.pageChallenge, proof }));
  const answered = proofSchema.safeParse(parsed(await next()));
  if (!answered.success) return false;
  return timingSafeEqual(Buffer.from(answered.data.proof), Buffer.from(hmac(secret, provenWords('agent', meeting))));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
