// The first messages of a page and its agent on a WebSocket: see session-messages.ts. The part that the page needs is
// here, without schemas.

/** The close code of a WebSocket whose session is unknown or has ended. */
export const noSessionCode = 4401;

/** The page that is shown to a browser without a session. */
export const noSessionPath = '/no-session';

/** The start of the address's fragment that has the token. A browser sends the fragment to no server. */
export const openingFragment = '#open=';

export interface Meeting {
  /** The page's origin with its port, so that the proof works for no other agent. */
  readonly origin: string;
  readonly session: string;
  readonly agentChallenge: string;
  readonly pageChallenge: string;
}

/**
 * The text that is signed with the session's secret. The two sides sign different texts, so that neither can send the
 * other's proof back.
 */
export function provenWords(side: 'page' | 'agent', meeting: Meeting): string {
  const { origin, session, agentChallenge, pageChallenge } = meeting;
  return ['tillbridge screen', side, origin, session, agentChallenge, pageChallenge].join('\n');
}
