import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * So many connections of nobody known are held; the oldest makes room for the next one. More than POS programs open at
 * the same moment, for each is a stranger until its first request is read, and few enough that descriptors are left.
 */
const mostStrangers = 400;
/** More than all POS programs of a till have. */
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
  /** At the begin of each request. */
  begin(incoming: IncomingMessage): void;
  readonly keep: KeepConnection;
  /** Before a refusal is written: with it the connection is closed, unless its caller was known before. */
  refuse(response: ServerResponse): void;
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
    begin({ socket }) {
      if (strangers.has(socket)) answered.add(socket);
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
