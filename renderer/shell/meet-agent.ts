import { type Meeting, provenWords } from '../../shared/till/session-words.ts';
import { isObject } from './reply.ts';
import { bytesOfHex, hexOf, type SessionKeeper, type SessionKey } from './session-key.ts';

export interface MeetingParts {
  readonly keeper: SessionKeeper;
  /** Takes the one-time token from the page's address. Null the second time. */
  readonly takeToken: () => string | null;
  /** The origin of this page. */
  readonly origin: string;
}

/**
 * Proves to the other end of a new WebSocket which session this page has, and lets the other end prove that it is the
 * agent. Until then the page believes nothing that it receives.
 *
 * @param listen gives the messages as they come
 * @returns whether it is the agent; `no_session` when this browser has nothing to prove
 */
export async function meetAgent(
  { send, next }: { readonly send: (message: object) => void; readonly next: () => Promise<unknown> },
  { keeper, takeToken, origin }: MeetingParts,
): Promise<'met' | 'somebody_else' | 'no_session'> {
  const agentChallenge = textIn(await next(), 'challenge');
  if (agentChallenge === null) return 'somebody_else';
  const token = takeToken();
  const kept = token === null ? await keeper.read() : await exchange(token);
  if (kept === null) return 'no_session';
  const pageChallenge = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  const meeting: Meeting = { origin, session: kept.session, agentChallenge, pageChallenge };
  const proof = hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', kept.key, wordsOf('page', meeting))));
  send({ session: kept.session, challenge: pageChallenge, proof });
  const answered = textIn(await next(), 'proof');
  if (answered === null) return 'somebody_else';
  const isAgent = await crypto.subtle.verify('HMAC', kept.key, bytesOfHex(answered), wordsOf('agent', meeting));
  return isAgent ? 'met' : 'somebody_else';

  async function exchange(given: string): Promise<SessionKey | null> {
    send({ token: given });
    const made = await next();
    const [session, secret] = [textIn(made, 'session'), textIn(made, 'secret')];
    return session === null || secret === null ? null : keeper.keep(session, secret);
  }
}

function textIn(message: unknown, field: string): string | null {
  const value = isObject(message) ? message[field] : null;
  return typeof value === 'string' ? value : null;
}

function wordsOf(side: 'page' | 'agent', meeting: Meeting): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(provenWords(side, meeting));
}
