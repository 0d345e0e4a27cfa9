import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { AnswersUnderWay } from '../../shared/lib/answers-under-way.ts';
import { refusalOfExpectation, refusalOfUnreadable } from '../../shared/lib/unreadable-requests.ts';
import { type BoundedConnections, boundConnections, withoutArrivalChecks } from './bounded-connections.ts';

/** A port that could not be listened on, with a sentence for the person who started the program. */
export class PortUnavailableError extends Error {
  readonly port: number;
  /** Another program has it, which may leave it; else this user may not use it at all. */
  readonly isTaken: boolean;
  constructor(port: number, cause: NodeJS.ErrnoException, platform: NodeJS.Platform = process.platform) {
    super(`Port ${port} is not available: ${whyUnavailable(cause, platform)}.`, { cause });
    this.name = 'PortUnavailableError';
    this.port = port;
    // Windows says no more of a port that another program has for itself.
    this.isTaken = cause.code === 'EADDRINUSE' || (cause.code === 'EACCES' && platform === 'win32');
  }
}

function whyUnavailable({ code, message }: NodeJS.ErrnoException, platform: NodeJS.Platform): string {
  if (code === 'EADDRINUSE') return 'another program is using it';
  if (code !== 'EACCES') return message;
  // Hyper-V and others reserve ranges of ports, other ones after each start of Windows.
  return platform === 'win32'
    ? 'Windows has reserved it, or another program has it for itself. To see the reserved ports, run: netsh interface ipv4 show excludedportrange protocol=tcp'
    : 'this user may not use it';
}

export interface LoopbackServer {
  readonly port: number;
  readonly server: Server;
  /** Tells it of a connection whose caller is known, and of a refusal: any other is closed with it. */
  readonly connections: Pick<BoundedConnections, 'keep' | 'keepSocket' | 'refuse'>;
  /** Takes no new connection, lets what is in flight end for `graceMs`, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

/** Longer than a POS program's usual pause between two sales, so that it finds its connection still open. */
const keepAliveTimeoutMs = 75_000;

/**
 * Listens on 127.0.0.1 alone.
 *
 * @param port 0 for any free one
 * @param mayUpgrade which request becomes a line of its own; others that offer to (Java offers HTTP/2 to everybody) are
 *   answered as if they had not
 * @throws PortUnavailableError
 */
export function listenOnLoopback(
  port: number,
  listener: RequestListener,
  mayUpgrade: (incoming: IncomingMessage) => boolean = () => true,
): Promise<LoopbackServer> {
  const server = createServer(
    {
      ...withoutArrivalChecks,
      keepAliveTimeout: keepAliveTimeoutMs,
      shouldUpgradeCallback: mayUpgrade,
      // Node would answer without a body.
      requireHostHeader: false,
    },
    (incoming, response) => {
      connections.begin(incoming);
      answers.begin(incoming.socket, response);
      if (isWithoutHost(incoming)) {
        refuseEarly(response, { status: 400, message: 'Send a Host header.' });
        return;
      }
      listener(incoming, response);
    },
  );
  const connections = boundConnections(server);
  const answers = new AnswersUnderWay<Duplex>();
  server.on('clientError', (error, socket) => answerBadRequest(error, socket, answers));
  server.on('checkExpectation', (_incoming: IncomingMessage, response: ServerResponse) =>
    refuseEarly(response, refusalOfExpectation),
  );
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new PortUnavailableError(port, error)));
    const onListening = (): void => {
      const address = server.address();
      const actualPort = typeof address === 'object' && address !== null ? address.port : port;
      resolve({ port: actualPort, server, connections, close: (graceMs) => closeWithin(server, graceMs) });
    };
    listenOn(server, port, onListening);
  });
}

/** What is in the way of listening on a port, which is taken for that moment and given back; null for nothing. */
export async function whatHasPort(port: number): Promise<PortUnavailableError | null> {
  try {
    const taken = await listenOnLoopback(port, (_incoming, response) => response.destroy());
    await taken.close(0);
    return null;
  } catch (error) {
    if (error instanceof PortUnavailableError) return error;
    throw error;
  }
}

/**
 * Node looks up the host of a server in any case, and has V8 compile its long expression for IPv6 addresses for that (3 ms
 * of a start). An address that is bound before needs neither. Electron's older Node cannot do it.
 */
function listenOn(server: Server, port: number, onListening: () => void): void {
  const at = { host: '127.0.0.1', port };
  if (typeof net.BoundSocket !== 'function') {
    server.listen({ ...at, exclusive: true }, onListening);
    return;
  }
  let bound: net.BoundSocket;
  try {
    bound = new net.BoundSocket(at);
  } catch (error) {
    server.emit('error', error);
    return;
  }
  server.listen(bound, onListening);
}

function closeWithin(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** HTTP/1.0 knows programs without one (RFC 9112, 3.2). */
function isWithoutHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0';
}

/** In its turn: a sale before it on the same connection is answered first. */
function refuseEarly(
  response: ServerResponse,
  { status, message }: { readonly status: number; readonly message: string },
): void {
  const { headers, body } = errorOf(message);
  response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}

/** Bytes that are no HTTP, or a request that did not come whole in time; in its turn, too. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex, answers: AnswersUnderWay<Duplex>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const ending = answers.ends(socket);
  if (ending === 'now') socket.end();
  if (ending !== 'unanswered') return;
  const { status, reason, message } = refusalOfUnreadable(error.code);
  const { headers, body } = errorOf(message);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}

/** What is refused before anybody reads it, in the shape of every other error. */
function errorOf(message: string): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({
    error: { code: 'VALIDATION_ERROR', message, retryable: false, request_id: requestId },
  });
  const headers = {
    'Content-Type': 'application/json',
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { headers, body };
}
