import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** So many connections of nobody known are held; the oldest makes room for the next one. */
const mostStrangers = 32;
/** More than all POS programs of a till have, and few enough that no file of the agent's lacks a descriptor. */
const mostKept = 512;
/** Whoever has not shown by then who it is has no business here. */
const strangerLifeMs = 15_000;

/** For how long a server waits for what has begun to come. */
export const arrivalLimits = {
  headersTimeout: 10_000,
  /** The whole request: at most a mebibyte, from this machine. */
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
} as const;

/** Keeps a connection open from now on: its caller is known. */
export type KeepConnection = (response: ServerResponse) => void;

export interface BoundedConnections {
  /** At the begin of each request. Until it is kept, the connection is closed with its answer. */
  begin(incoming: IncomingMessage, response: ServerResponse): void;
  readonly keep: KeepConnection;
  /** The same of a connection that was upgraded. */
  keepSocket(socket: Duplex): void;
}

/**
 * Bounds the connections of a server in number and in life, so that whoever only connects keeps no sale out: those that
 * have shown a token or a session are apart from all others, and are never closed for them.
 */
export function boundConnections(server: Server): BoundedConnections {
  /** In the order in which they came. */
  const strangers = new Set<Duplex>();
  /** Strangers whose request is being answered: the last to be closed. */
  const answered = new Set<Duplex>();
  const kept = new Set<Duplex>();
  const wantsToStay = new WeakSet<ServerResponse>();

  server.on('connection', (socket: Socket) => {
    if (strangers.size >= mostStrangers) {
      const all = [...strangers];
      const oldest = all.find((one) => !answered.has(one)) ?? all[0];
      oldest?.destroy();
    }
    strangers.add(socket);
    const life = setTimeout(() => {
      if (strangers.has(socket)) socket.destroy();
    }, strangerLifeMs);
    life.unref();
    socket.once('close', () => {
      clearTimeout(life);
      for (const set of [strangers, answered, kept]) set.delete(socket);
    });
  });

  function keepSocket(socket: Duplex): void {
    if (kept.has(socket) || kept.size >= mostKept || !strangers.delete(socket)) return;
    answered.delete(socket);
    kept.add(socket);
  }

  return {
    begin({ socket }, response) {
      if (kept.has(socket)) return;
      answered.add(socket);
      if (response.shouldKeepAlive) wantsToStay.add(response);
      response.shouldKeepAlive = false;
    },
    keep(response) {
      const { socket } = response;
      if (socket === null) return;
      keepSocket(socket);
      if (kept.has(socket) && wantsToStay.has(response)) response.shouldKeepAlive = true;
    },
    keepSocket,
  };
}
