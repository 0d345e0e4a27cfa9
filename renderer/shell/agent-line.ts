import { type Backoff, fullJitterMs } from '../../shared/lib/backoff.ts';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillLink } from '../../shared/till/api.ts';
import { noSessionCode } from '../../shared/till/session-words.ts';
import { type MeetingParts, meetAgent } from './meet-agent.ts';
import { goneReply, isObject } from './reply.ts';

/** The agent is on the same machine, so the page should find it again soon. */
const reconnectBackoff: Backoff = { baseMs: 400, capMs: 5_000 };
/** Longer than the agent waits for the service in a look-up. */
const answerWaitMs = 30_000;

type Settle = (message: unknown) => void;
/** The mark of a lost answer. */
const gone = Symbol('gone');

export interface AgentLineParts {
  readonly url: string;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly openSocket: (url: string) => WebSocket;
  readonly meeting: MeetingParts;
  /** This browser has no session, or its session was ended. Nothing is tried again. */
  readonly onNoSession: () => void;
}

/** A page's connection to its agent, for any commands and events. */
interface AgentLine<Event> {
  /** Never rejects. Without an answer it resolves to `goneReply`. */
  ask(command: string, input: object): Promise<unknown>;
  onEvent(listener: (event: Event) => void): () => void;
  onLink(listener: (link: TillLink) => void): () => void;
}

/**
 * Sends commands and takes answers over one WebSocket, which is opened again when it is lost. It is open after page and
 * agent have proven who they are (meet-agent.ts).
 *
 * @param readEvent returns null for a message that is no event
 */
export function agentLine<Event>(
  { url, clock, random, openSocket, meeting, onNoSession }: AgentLineParts,
  readEvent: (value: unknown) => Event | null,
): AgentLine<Event> {
  const eventListeners = new Set<(event: Event) => void>();
  const linkListeners = new Set<(link: TillLink) => void>();
  const waiting = new Map<number, Settle>();
  let link: TillLink = 'connecting';
  let socket: WebSocket | null = null;
  let failedTries = 0;
  let lastId = 0;

  const setLink = (next: TillLink): void => {
    if (link === next) return;
    link = next;
    for (const listener of linkListeners) listener(next);
  };

  const connect = (): void => {
    const opened = openSocket(url);
    socket = opened;
    const letGo = (): void => opened.close();
    void meetAgent(linesOf(opened), meeting).then((outcome) => {
      if (outcome !== 'met') letGo();
      if (outcome === 'no_session') endForGood();
      if (outcome !== 'met' || socket !== opened) return;
      failedTries = 0;
      opened.onmessage = (event) => receive(event.data);
      setLink('open');
    }, letGo);
    opened.onclose = ({ code }) => {
      if (socket !== opened) return;
      socket = null;
      if (code === noSessionCode) {
        endForGood();
        return;
      }
      for (const settle of waiting.values()) settle(gone);
      setLink('lost');
      failedTries += 1;
      clock.setTimer(connect, fullJitterMs(reconnectBackoff, failedTries, random()));
    };
  };

  const endForGood = (): void => {
    socket = null;
    setLink('lost');
    onNoSession();
  };

  const receive = (data: unknown): void => {
    const message = parseJson(data);
    if (!isObject(message)) return;
    if (typeof message.id === 'number') {
      waiting.get(message.id)?.(message);
      return;
    }
    const event = readEvent(message.event);
    if (event !== null) for (const listener of eventListeners) listener(event);
  };

  connect();
  return {
    ask(command, input) {
      const open = socket;
      if (open === null || link !== 'open' || open.readyState !== WebSocket.OPEN) {
        return Promise.resolve(goneReply('The line to the agent is not open'));
      }
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        let cancelTimer: CancelTimer = () => undefined;
        const settle: Settle = (message) => {
          waiting.delete(id);
          cancelTimer();
          resolve(message === gone ? goneReply('The line to the agent was lost') : message);
        };
        cancelTimer = clock.setTimer(() => settle(gone), answerWaitMs);
        waiting.set(id, settle);
        open.send(JSON.stringify({ id, command, input }));
      });
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onLink(listener) {
      linkListeners.add(listener);
      listener(link);
      return () => linkListeners.delete(listener);
    },
  };
}

/** Reads a new socket's messages one by one, before the real listener takes over. */
function linesOf(socket: WebSocket): { send: (message: object) => void; next: () => Promise<unknown> } {
  const arrived: unknown[] = [];
  let take: ((message: unknown) => void) | null = null;
  socket.onmessage = ({ data }) => {
    const message = parseJson(data);
    if (take === null) arrived.push(message);
    else take(message);
    take = null;
  };
  return {
    send: (message) => socket.send(JSON.stringify(message)),
    // It never resolves when the socket is lost. Then nobody waits for it any more.
    next: () =>
      new Promise((resolve) => {
        if (arrived.length > 0) resolve(arrived.shift());
        else take = resolve;
      }),
  };
}

function parseJson(data: unknown): unknown {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
