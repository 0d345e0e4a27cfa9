import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../shared/lib/clock.ts';
import { type TillMessage, type TillReply, tillRequestSchema } from '../../shared/till/api.ts';
import { noSessionCode } from '../../shared/till/session-words.ts';
import type { Audit } from '../audit/audit-events.ts';
import { failed } from '../till/replies.ts';
import { greet } from './greeting.ts';
import type { Sessions } from './sessions.ts';
import { textOf } from './socket-text.ts';

const maxMessageBytes = 64 * 1024;
/** A page that does not read what it is sent is closed; it connects again and reads everything again. */
const maxUnreadBytes = 1024 * 1024;
const maxQuestionsInFlight = 32;
const maxPages = 16;
/** Of connections that have proven nothing yet the oldest makes room: they keep no page of ours out. */
const maxStrangers = 16;
const pingEveryMs = 20_000;
/** A page that is asked to go and has not gone by then is frozen: its connection is cut. */
const farewellMs = 500;

const closeCodes = { goingAway: 1001, badMessage: 1008, tryAgainLater: 1013 } as const;

interface ArrivingPage {
  /** As its browser says. */
  readonly origin: string;
  /** Told when it has proven a session. */
  readonly onMet: () => void;
}

/** What a page speaks to: a till, or what answers the customer's screen. */
export interface ServedTill {
  /** Answers `{command, input}`, whatever came. Never rejects. @param page stands for the connection it came over */
  handle(question: { readonly command: string; readonly input: unknown }, page: object): Promise<TillReply<unknown>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: object) => void): () => void;
}

export interface TillSocket {
  /** Takes over a connection that has passed the door, and meets the page at its other end. */
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, page: ArrivingPage): void;
  /** Lets the pages of a session go. */
  endSession(id: string): void;
  /** Lets every page go; resolves when all connections are closed. */
  close(): Promise<void>;
}

interface TillSocketOptions<Served extends ServedTill> {
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'exchange' | 'secretOf' | 'seen' | 'stays'>;
  readonly audit: Audit;
  /** Told when a page that had proven its session has gone. */
  readonly onGone?: (till: Served, page: object) => void;
}

/**
 * TillApi over WebSockets: a question is `{id, command, input}`, what comes back is a `TillMessage`.
 *
 * @param tillOf what a page speaks to that has proven its session
 */
export function createTillSocket<Served extends ServedTill>(
  tillOf: () => Served,
  { clock, sessions, audit, onGone = () => undefined }: TillSocketOptions<Served>,
): TillSocket {
  const strangers = new Set<WebSocket>();
  /** With the session of each. */
  const pages = new Map<WebSocket, string>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  return {
    accept(incoming, socket, head, { origin, onMet }) {
      server.handleUpgrade(incoming, socket, head, (page) => {
        page.on('error', () => page.terminate());
        strangers.add(page);
        if (strangers.size > maxStrangers) [...strangers][0]?.terminate();
        page.once('close', () => {
          strangers.delete(page);
          pages.delete(page);
        });
        const met = (session: string): void => {
          onMet();
          admit(page, session);
        };
        greet(page, { sessions, clock, audit, origin, onMet: met });
      });
    },
    endSession(id) {
      for (const [page, session] of pages) if (session === id) letGo(page, 'the session was ended');
    },
    close() {
      for (const page of server.clients) page.close(closeCodes.goingAway, 'the agent stops');
      return new Promise((resolve) => {
        const cancelCut = clock.setTimer(() => {
          for (const page of server.clients) page.terminate();
        }, farewellMs);
        server.close(() => {
          cancelCut();
          resolve();
        });
      });
    },
  };

  function admit(page: WebSocket, session: string): void {
    strangers.delete(page);
    if (pages.size >= maxPages) {
      page.close(closeCodes.tryAgainLater, 'too many screens are open');
      return;
    }
    pages.set(page, session);
    sessions.seen(session);
    const till = tillOf();
    servePage(page, till, clock, { isGood: () => sessions.stays(session) });
    page.once('close', () => onGone(till, page));
  }
}

type SocketMessage = Exclude<TillMessage, { event: unknown }> | { readonly event: object };

/** @param session asked at each ping */
function servePage(page: WebSocket, till: ServedTill, clock: Clock, session: { readonly isGood: () => boolean }): void {
  let questionsInFlight = 0;
  let hasAnsweredPing = true;
  let cancelPing = clock.setTimer(ping, pingEveryMs);

  const unsubscribe = till.onEvent((event) => tell({ event }));
  page.on('pong', () => {
    hasAnsweredPing = true;
  });
  page.on('close', () => {
    unsubscribe();
    cancelPing();
  });
  page.on('message', (data, isBinary) => {
    // Of a page that was asked to go, messages come until it answers.
    if (page.readyState !== page.OPEN) return;
    const question = isBinary ? null : readQuestion(textOf(data));
    if (question === null || questionsInFlight >= maxQuestionsInFlight) {
      page.close(closeCodes.badMessage, question === null ? 'not a question' : 'too many questions at once');
      return;
    }
    questionsInFlight += 1;
    void till.handle(question, page).then((reply) => {
      questionsInFlight -= 1;
      tell({ id: question.id, ...reply });
    });
  });

  function tell(message: SocketMessage): void {
    if (page.readyState !== page.OPEN) return;
    const text = textOfMessage(message);
    if (page.bufferedAmount > maxUnreadBytes) page.terminate();
    else if (text !== null) page.send(text);
    else if ('id' in message) tell({ id: message.id, ...failed('agent_gone', 'The answer cannot be written.') });
  }

  function ping(): void {
    if (!hasAnsweredPing) {
      page.terminate();
      return;
    }
    if (!session.isGood()) {
      letGo(page, 'the session is over');
      return;
    }
    hasAnsweredPing = false;
    page.ping();
    cancelPing = clock.setTimer(ping, pingEveryMs);
  }
}

function letGo(page: WebSocket, why: string): void {
  page.close(noSessionCode, why);
}

function readQuestion(text: string): { id: number; command: string; input: unknown } | null {
  try {
    const parsed = tillRequestSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Null: it cannot be written, which must not end the agent. */
function textOfMessage(message: SocketMessage): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}
