import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../shared/lib/clock.ts';
import { type Introduction, introductionSchema } from '../../shared/till/session-messages.ts';
import { noSessionCode, provenWords } from '../../shared/till/session-words.ts';
import type { Audit } from '../audit/audit-events.ts';
import { hmac } from '../http/hmac.ts';
import type { Sessions } from './sessions.ts';
import { textOf } from './socket-text.ts';

/** A page that has not proven its session by then is closed. */
const meetWithinMs = 5_000;

interface Host {
  readonly sessions: Pick<Sessions, 'exchange' | 'secretOf'>;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly audit: Audit;
  /** Of the page, as its browser says. */
  readonly origin: string;
  /** Told once, when each has proven to the other that it has the session. */
  readonly onMet: (session: string) => void;
}

/** Meets a page that has just connected: see session-messages.ts. Until then it is told nothing and asked nothing else. */
export function greet(page: WebSocket, { sessions, clock, audit, origin, onMet }: Host): void {
  const agentChallenge = randomBytes(32).toString('hex');
  const cancelTimer = clock.setTimer(() => page.terminate(), meetWithinMs);
  page.on('message', hear);
  page.once('close', cancelTimer);
  page.send(JSON.stringify({ challenge: agentChallenge }));

  function hear(data: RawData): void {
    const introduction = readIntroduction(textOf(data));
    if (introduction === null) refuse();
    else if ('token' in introduction) giveSession(introduction.token);
    else prove(introduction);
  }

  function giveSession(token: string): void {
    const made = sessions.exchange(token);
    if (made === null) refuse();
    else {
      audit.note({ event: 'session_begun', session: made.id, kiosk: made.kiosk });
      page.send(JSON.stringify({ session: made.id, secret: made.secret }));
    }
  }

  function prove({ session, challenge: pageChallenge, proof }: Extract<Introduction, { proof: string }>): void {
    const secret = sessions.secretOf(session);
    const meeting = { origin, session, agentChallenge, pageChallenge };
    if (secret === null || !isSame(proof, hmac(secret, provenWords('page', meeting)))) {
      refuse();
      return;
    }
    page.off('message', hear);
    cancelTimer();
    page.send(JSON.stringify({ proof: hmac(secret, provenWords('agent', meeting)) }));
    onMet(session);
  }

  function refuse(): void {
    audit.note({ event: 'session_refused' });
    page.off('message', hear);
    page.close(noSessionCode, 'no session');
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function readIntroduction(text: string): Introduction | null {
  try {
    const parsed = introductionSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
