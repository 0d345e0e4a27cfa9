// How a page and its agent meet on a WebSocket: see session-messages.ts. What the page needs of it is here, without the
// schemas.

/** Why a WebSocket is closed: no such session, or no longer. */
export const noSessionCode = 4401;

/** The page that is shown to a browser without a session. */
export const noSessionPath = '/no-session';

/** In the fragment of the address that a browser is led to, which no server is told. */
export const openingFragment = '#open=';

export interface Meeting {
  /** Of the page, its port with it: nobody can pass the words on to an agent elsewhere. */
  readonly origin: string;
  readonly session: string;
  readonly agentChallenge: string;
  readonly pageChallenge: string;
}

/** What is signed with the session's secret. Each side signs other words: no proof can be sent back as one's own. */
export function provenWords(side: 'page' | 'agent', meeting: Meeting): string {
  const { origin, session, agentChallenge, pageChallenge } = meeting;
  return ['tillbridge screen', side, origin, session, agentChallenge, pageChallenge].join('\n');
}
