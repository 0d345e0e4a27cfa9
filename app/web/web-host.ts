import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../shared/lib/clock.ts';
import { areSeveralHosts, hostOf, isLoopbackHost } from '../http/host-rule.ts';
import { type LoopbackServer, listenOnLoopback, PortUnavailableError } from '../http/loopback-server.ts';
import type { Till } from '../till/till.ts';
import { pageHeaders } from './page-policy.ts';
import { type RendererFile, readRendererFiles } from './renderer-files.ts';
import type { ScreenMemory } from './screen-memory.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTillSocket } from './till-socket.ts';

export interface WebHost {
  /** The screen's address with its one-time token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface WebHostOptions {
  readonly till: Till;
  readonly clock: Clock;
  /** The built screen. */
  readonly rendererDir: string;
  /** Where the screen was before, and who had it open: it comes back there, for them. */
  readonly memory: ScreenMemory;
  /** Unguessable text, safe in an address. */
  readonly newSecret: () => string;
}

/**
 * Serves the cashier screen on loopback, for a kiosk browser: files over HTTP, TillApi over a WebSocket at `/till`.
 * Both want a session, which the one-time token in the printed address becomes.
 *
 * @throws PortUnavailableError
 */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const files = readRendererFiles(options.rendererDir);
  const socket = createTillSocket(options.till, options.clock);
  const { memory, newSecret } = options;
  const loopback: LoopbackServer = await listenWhereBefore(memory.port, (incoming, response) => {
    const answer = answerTo(incoming, response);
    if (answer.status >= 400) loopback.connections.refuse(response);
    send(incoming, response, answer);
  });
  const sessions: Sessions = createSessions({
    port: loopback.port,
    newSecret,
    keptDigests: loopback.port === memory.port ? memory.sessionDigests : [],
    keep: (digests) => memory.keep(loopback.port, digests),
  });
  loopback.server.on('upgrade', upgrade);
  const origin = `http://127.0.0.1:${loopback.port}`;

  function answerTo(incoming: IncomingMessage, response: ServerResponse): PageAnswer {
    const { cookie } = incoming.headers;
    const host = hostOf(incoming);
    if (areSeveralHosts(host)) return refusal(400, unknownHost);
    if (!isLoopbackHost(host, loopback.port)) return refusal(403, unknownHost);
    const isGet = incoming.method === 'GET';
    if (!isGet && incoming.method !== 'HEAD') return refusal(405, onlyRead, { allow: 'GET, HEAD' });
    const url = addressIn(incoming.url ?? '/', origin);
    if (url === null) return refusal(400, 'This is not an address.');
    const token = url.searchParams.get('token');
    if (isGet && url.pathname === '/' && token !== null) return sessionAnswer(token, cookie);
    if (!sessions.isValid(cookie)) return refusal(403, noSession);
    loopback.connections.keep(response);
    return fileAnswer(files.get(url.pathname === '/' ? '/index.html' : url.pathname));
  }

  function sessionAnswer(token: string, cookieHeader: string | undefined): PageAnswer {
    const cookie = sessions.exchange(token);
    // Whoever has a session already and opens the printed address again is simply let in.
    if (cookie === null && !sessions.isValid(cookieHeader)) return refusal(403, noSession);
    const headers = { location: '/', 'cache-control': 'no-store' };
    return { status: 303, headers: cookie === null ? headers : { ...headers, 'set-cookie': cookie }, body: null };
  }

  function upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    const { cookie, origin: asked } = incoming.headers;
    const host = hostOf(incoming);
    const isOurs = isLoopbackHost(host, loopback.port) && asked === `http://${host}`;
    if (incoming.url !== '/till' || !isOurs || !sessions.isValid(cookie)) {
      connection.on('error', () => connection.destroy());
      connection.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    loopback.connections.keepSocket(connection);
    socket.accept(incoming, connection, head);
  }

  return {
    url: `${origin}/?token=${sessions.oneTimeToken}`,
    async close() {
      await Promise.all([socket.close(), loopback.close(1_000)]);
    },
  };
}

function addressIn(target: string, origin: string): URL | null {
  try {
    return new URL(target, origin);
  } catch {
    return null;
  }
}

const unknownHost = 'Open this screen by the address that the agent printed.';
const onlyRead = 'This address can only be read.';
const noSession =
  'This address was used already or is not complete: start the agent again and open the new address that it prints.';

/** On the port of before, as long as no other program has taken it meanwhile. */
async function listenWhereBefore(port: number | null, listener: RequestListener): Promise<LoopbackServer> {
  try {
    return await listenOnLoopback(port ?? 0, listener);
  } catch (error) {
    if (port === null || !(error instanceof PortUnavailableError)) throw error;
    return listenOnLoopback(0, listener);
  }
}

interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

function fileAnswer(file: RendererFile | undefined): PageAnswer {
  if (file === undefined) return refusal(404, 'There is no such file.');
  const headers = { 'content-type': file.contentType, 'cache-control': file.cacheControl };
  return { status: 200, headers, body: file.bytes };
}

function refusal(status: number, sentence: string, headers: Readonly<Record<string, string>> = {}): PageAnswer {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tillbridge</title><h1>Tillbridge</h1><p>${sentence}</p></html>`;
  return {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: Buffer.from(page),
  };
}

function send(incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: PageAnswer): void {
  response.writeHead(status, { ...pageHeaders, ...headers, 'content-length': body?.length ?? 0 });
  response.end(incoming.method === 'HEAD' ? undefined : (body ?? undefined));
}
