import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { longestTimerMs } from '../../shared/lib/clock.ts';
import { monotonicMs } from '../machine/monotonic.ts';

/**
 * So many connections of nobody known are held; the oldest makes room for the next one. More than POS programs open at
 * the same moment, for each is a stranger until its first request is read, and few enough that descriptors are left.
 */
const mostStrangers = 400;
/** More than all POS programs of a till have. */
const mostKept = 512;
/** Whoever has not shown by then who it is has no business here. */
const strangerLifeMs = 15_000;

/** So long a body may take to come, from the end of its head: at most a mebibyte, from this machine. */
const bodyArrivalMs = 15_000;

/**
 * For a server whose connections are bounded here. Node's own limits are off: it looks after them with a timer that runs
 * for as long as the server does, and wakes a machine on which nothing happens.
 */
export const withoutArrivalChecks = {
  headersTimeout: 0,
  requestTimeout: 0,
  connectionsCheckingInterval: longestTimerMs,
} as const;

/** Keeps a connection open from now on: its caller is known. */
type KeepConnection = (response: ServerResponse) => void;

export interface BoundedConnections {
  /** At the begin of each request. */
  begin(incoming: IncomingMessage): void;
  readonly keep: KeepConnection;
  /** Before a refusal is written: with it the connection is closed, unless its caller was known before. */
  refuse(response: ServerResponse): void;
  /** The same of a connection that was upgraded. */
  keepSocket(socket: Duplex): void;
}

/** A request of which the head has come. */
interface Arrival {
  readonly incoming: IncomingMessage;
  readonly sinceMs: number;
}

/**
 * Bounds the connections of a server in number and in life, so that whoever only connects keeps no sale out: those that
 * have shown a token or a session are apart from all others, and are never closed for them. A request that does not come
 * whole in time is answered with 408. Whoever is known and leaves a head unfinished is only silent: that is what the
 * server's `keepAliveTimeout` ends.
 *
 * There is no timer but of connections that are open.
 */
export function boundConnections(server: Server): BoundedConnections {
  /** In the order in which they came. */
  const strangers = new Set<Duplex>();
  /** Strangers whose request is being answered: the last to be closed. */
  const answered = new Set<Duplex>();
  const kept = new Set<Duplex>();
  /** The last request of each connection, until it was seen to have come whole. */
  const arrivals = new Map<Duplex, Arrival>();
  const arrivalTimers = new Map<Duplex, NodeJS.Timeout>();

  server.on('connection', (socket: Socket) => {
    if (strangers.size >= mostStrangers) {
      const all = [...strangers];
      const oldest = all.find((one) => !answered.has(one)) ?? all[0];
      // At once: its close is told only after others have come.
      if (oldest !== undefined) strangers.delete(oldest);
      oldest?.destroy();
    }
    strangers.add(socket);
    const life = setTimeout(() => {
      if (!strangers.has(socket)) return;
      const hasBegun = socket.bytesRead > 0 && arrivals.get(socket)?.incoming.complete !== true;
      if (hasBegun) tellTooSlow(socket);
      else socket.destroy();
    }, strangerLifeMs);
    life.unref();
    socket.once('close', () => {
      clearTimeout(life);
      clearTimeout(arrivalTimers.get(socket));
      for (const held of [strangers, answered, kept, arrivals, arrivalTimers]) held.delete(socket);
    });
  });

  function tellTooSlow(socket: Socket): void {
    const error = Object.assign(new Error('The request did not come whole in time'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    });
    server.emit('clientError', error, socket);
    socket.destroySoon();
  }

  /** One timer at a time for each connection, however many requests come on it. */
  function watchArrival(socket: Socket, delayMs: number): void {
    const timer = setTimeout(() => {
      arrivalTimers.delete(socket);
      const arrival = arrivals.get(socket);
      if (arrival === undefined || arrival.incoming.complete) {
        arrivals.delete(socket);
        return;
      }
      const restMs = arrival.sinceMs + bodyArrivalMs - monotonicMs();
      if (restMs > 0) watchArrival(socket, restMs);
      else tellTooSlow(socket);
    }, delayMs);
    timer.unref();
    arrivalTimers.set(socket, timer);
  }

  function keepSocket(socket: Duplex): void {
    if (kept.has(socket) || kept.size >= mostKept || !strangers.delete(socket)) return;
    answered.delete(socket);
    kept.add(socket);
  }

  return {
    begin(incoming) {
      const { socket } = incoming;
      if (strangers.has(socket)) answered.add(socket);
      arrivals.set(socket, { incoming, sinceMs: monotonicMs() });
      if (!arrivalTimers.has(socket)) watchArrival(socket, bodyArrivalMs);
    },
    keep({ socket }) {
      if (socket !== null) keepSocket(socket);
    },
    refuse(response) {
      if (response.socket !== null && !kept.has(response.socket)) response.shouldKeepAlive = false;
    },
    keepSocket,
  };
}
