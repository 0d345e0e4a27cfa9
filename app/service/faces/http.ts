import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { maxBodyBytes } from '../../../shared/contract/primitives.ts';
import { isRepeated, originForm, singleHeaders } from '../../../shared/contract/request-parts.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { readLimitedBody } from '../../../shared/lib/limited-body.ts';
import { TurnOnConnection } from '../../../shared/lib/turn-on-connection.ts';
import { type IncomingCall, type Outcome, type OutgoingAnswer, truncated } from '../calls/exchange.ts';
import { controlPrefix, servicePrefix } from '../calls/paths.ts';
import { answerUnreadable, type RefuseUnreadable } from './unreadable-requests.ts';

export interface HttpFace {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** Takes no new connection, finishes what is in flight, then resolves. */
  close(): Promise<void>;
}

interface HttpFaceOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** How long calls in flight are waited for at the end. */
  readonly clock: Clock;
  /** Bounds the connections: told of each request at its begin, and of each whose caller is known. */
  readonly bound?: (server: Server) => {
    begin(request: IncomingMessage): void;
    keep(response: ServerResponse): void;
    refuse(response: ServerResponse): void;
  };
}

/** What is still under way after this is cut off at the end. */
const longestFarewellMs = 10_000;

const timeouts = {
  // Longer than clients keep an idle connection, so that the client, who knows what it is about to send, closes first.
  keepAliveTimeout: 65_000,
  // A client that trickles its request keeps nobody waiting but itself, and not for long.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  requireHostHeader: false,
};

/** Puts the service on a TCP port. @throws the system's error when the address cannot be listened at */
export async function serveService(
  service: { exchange(call: IncomingCall): Promise<Outcome>; readonly refuseUnreadable: RefuseUnreadable },
  options: HttpFaceOptions,
): Promise<HttpFace> {
  let origin = '';
  let closing = false;
  // Connections that have not asked for anything yet: browsers and pools open some ahead.
  const silent = new Set<Socket>();
  const turn = new TurnOnConnection<Socket>();
  const server = createServer(timeouts, (request, response) => {
    silent.delete(request.socket);
    connections?.begin(request);
    const repeated = ['host', ...singleHeaders].find((name) => isRepeated(request.rawHeaders, name));
    if (repeated !== undefined) {
      const refusal = service.refuseUnreadable(400, `Send one ${repeated} header only.`);
      writeHead(response, refusal, { close: true });
      response.end(refusal.body);
      return;
    }
    const recognized = (): void => connections?.keep(response);
    turn.take(request, response, (before) =>
      readLimitedBody(request, maxBodyBytes)
        .then(async (body) => {
          if (before !== null) await before;
          // Whoever hung up in the middle of a request gets nothing, and nothing is done.
          if (body === 'cut') return;
          const outcome = await service.exchange(toCall(request, { body, origin, recognized }));
          const isStranger = outcome.kind === 'response' && outcome.response.status === 401;
          connections?.[isStranger ? 'refuse' : 'keep'](response);
          carryOut(outcome, response, { close: closing });
        })
        .catch(() => {
          request.socket.destroy();
        }),
    );
  });
  const connections = options.bound?.(server);
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  answerUnreadable(server, service.refuseUnreadable);
  await listen(server, options);
  origin = `http://${urlHost(options.host)}:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: origin + servicePrefix,
    controlUrl: origin + controlPrefix,
    close() {
      closing = true;
      return new Promise((resolve) => {
        for (const socket of silent) socket.destroy();
        const cancel = options.clock.setTimer(() => server.closeAllConnections(), longestFarewellMs);
        server.close(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

function listen(server: Server, { host, port }: HttpFaceOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** An address that listens everywhere is reached here by the loopback one. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function toCall(
  request: IncomingMessage,
  { body, origin, recognized }: Required<Pick<IncomingCall, 'body' | 'origin' | 'recognized'>>,
): IncomingCall {
  const { target, authority } = originForm(request.url ?? '/');
  const host = authority ?? request.headers.host;
  return {
    method: request.method ?? 'GET',
    target,
    header(name) {
      const value = request.headers[name];
      return typeof value === 'string' ? value : null;
    },
    body,
    address: request.socket.remoteAddress ?? '',
    origin: host === undefined || host === '' ? origin : `http://${host}`,
    recognized,
  };
}

function carryOut(outcome: Outcome, response: ServerResponse, options: { readonly close: boolean }): void {
  switch (outcome.kind) {
    case 'no_connection':
    case 'dropped':
      response.socket?.destroy();
      return;
    case 'partial':
      writeHead(response, outcome.response, options);
      // The bytes first, then the end: the caller sees a body that stops short.
      response.write(truncated(outcome.response.body), () => response.socket?.destroy());
      return;
    case 'response':
      writeHead(response, outcome.response, options);
      response.end(outcome.response.body);
      return;
    default:
      assertNever(outcome);
  }
}

function writeHead(response: ServerResponse, answer: OutgoingAnswer, options: { readonly close: boolean }): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    'Content-Length': Buffer.byteLength(answer.body),
    ...(options.close ? { Connection: 'close' } : undefined),
  });
}
