import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../shared/lib/clock.ts';
import { noSessionPath, openingFragment } from '../../shared/till/session-words.ts';
import type { Audit } from '../audit/audit-events.ts';
import { areSeveralHosts, hostOf, isLoopbackHost } from '../http/host-rule.ts';
import { type LoopbackServer, listenOnLoopback, PortUnavailableError } from '../http/loopback-server.ts';
import { typed } from '../machine/installed.ts';
import { leftSessions } from './left-sessions.ts';
import { pageHeaders } from './page-policy.ts';
import { refusalPage } from './refusal-page.ts';
import { type RendererFile, readRendererFiles } from './renderer-files.ts';
import type { ScreenMemory } from './screen-memory.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTillSocket, type ServedTill } from './till-socket.ts';

export interface WebHost {
  /** The screen's address with its one-time token. */
  readonly url: string;
  /** Another such address. @param kiosk the name of the kiosk that will have the session; null for any browser */
  readonly newUrl: (kiosk: string | null) => string;
  readonly sessions: Pick<Sessions, 'list'>;
  /** Ends a session, and lets its pages go. @returns whether there was one @throws when it may be back at the next start */
  readonly endSession: (id: string) => boolean;
  readonly close: () => Promise<void>;
}

/** Where a page stands on its host, and where its WebSocket does. */
interface PagePlace {
  readonly page: string;
  readonly socket: string;
  /** For a browser without a session: how a person gets another address of this very page, as HTML. */
  readonly newAddress: string;
}

const startAgain = 'start Tillbridge again and open the address that it prints';
const cashierPlace: PagePlace = {
  page: '/',
  socket: '/till',
  newAddress: `${startAgain}, or run <code>${typed('sessions open')}</code> to get an address`,
};

interface WebHostOptions {
  readonly till: ServedTill;
  /** Told of a page that had proven its session and is gone. */
  readonly onPageGone?: (page: object) => void;
  /** The cashier's when left out. */
  readonly place?: PagePlace;
  /** Told of browsers that are let in, and of those that are not. */
  readonly audit: Audit;
  readonly clock: Clock;
  /** The built screen. */
  readonly rendererDir: string;
  /** Where the screen was before, and who had it open: it comes back there, for them. */
  readonly memory: ScreenMemory;
  /** Told why a browser's session is not kept there. */
  readonly onUnkept: (error: unknown) => void;
  /** Of this data folder: what the sessions' secrets are made with. */
  readonly sessionKey: string;
  /** Unguessable text, safe in an address. */
  readonly newSecret: () => string;
}

/**
 * Serves the cashier screen on loopback, for a kiosk browser: files over HTTP, TillApi over a WebSocket at `/till`. The
 * files hold nothing but the program. The WebSocket wants a session, which the one-time token in the printed address
 * becomes; it lives in the storage of the page's own origin, its port with it. A cookie would go to every port.
 *
 * @throws PortUnavailableError
 */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const files = readRendererFiles(options.rendererDir);
  const { memory, newSecret, clock, audit, place = cashierPlace } = options;
  const loopback: LoopbackServer = await listenWhereBefore(memory.port, (incoming, response) => {
    const answer = answerTo(incoming);
    if (answer.status >= 400) loopback.connections.refuse(response);
    send(incoming, response, answer);
  });
  const wallAheadMs = clock.now() - clock.monotonicMs();
  const left = leftSessions(memory, loopback.port);
  const sessions: Sessions = createSessions({
    key: options.sessionKey,
    newSecret,
    nowMs: () => wallAheadMs + clock.monotonicMs(),
    kept: loopback.port === memory.port ? memory.sessions : [],
    keep(kept) {
      memory.keep(loopback.port, kept);
      left.forget();
    },
    onUnkept: options.onUnkept,
    onEnded: (id) => socket.endSession(id),
  });
  const socket = createTillSocket(() => options.till, {
    clock,
    sessions,
    audit,
    onGone: (_till, page) => options.onPageGone?.(page),
  });
  loopback.server.on('upgrade', upgrade);
  const origin = `http://127.0.0.1:${loopback.port}`;

  function answerTo(incoming: IncomingMessage): PageAnswer {
    const host = hostOf(incoming);
    if (areSeveralHosts(host)) return refusal(400, unknownHost);
    if (!isLoopbackHost(host, loopback.port)) return refusal(403, unknownHost);
    if (isOfAnotherPage(incoming.headers)) return refusal(403, notForPages);
    const isGet = incoming.method === 'GET';
    if (!isGet && incoming.method !== 'HEAD') return refusal(405, onlyRead, { allow: 'GET, HEAD' });
    const url = addressIn(incoming.url ?? '/', origin);
    if (url === null) return refusal(400, 'This is not an address.');
    if (url.pathname === noSessionPath) return refusal(403, noSession(place));
    const token = url.searchParams.get('token');
    if (url.pathname !== place.page || token === null) {
      return fileAnswer(files.get(url.pathname === place.page ? '/index.html' : url.pathname));
    }
    if (!isGet || !sessions.open(token)) {
      audit.note({ event: 'session_refused' });
      return refusal(403, usedAddress(place));
    }
    // What stands behind # is sent to nobody: the page takes it from there, and it is good for a minute.
    const location = `${place.page}${openingFragment}${encodeURIComponent(token)}`;
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: null };
  }

  function upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    const asked = incoming.headers.origin;
    const host = hostOf(incoming);
    const isOurs = isLoopbackHost(host, loopback.port) && asked === `http://${host}`;
    if (incoming.url !== place.socket || !isOurs) {
      connection.on('error', () => connection.destroy());
      connection.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const onMet = (): void => loopback.connections.keepSocket(connection);
    socket.accept(incoming, connection, head, { origin: asked, onMet });
  }

  const newUrl = (kiosk: string | null): string =>
    `${origin}${place.page}?token=${encodeURIComponent(sessions.newToken(kiosk))}`;
  return {
    url: newUrl(null),
    newUrl,
    sessions: { list: () => [...sessions.list(), ...left.list()] },
    endSession: (id) => sessions.end(id) || left.end(id),
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
const onlyRead = 'This address accepts GET and HEAD only.';
const notForPages = 'Other web pages may not use this screen.';
const noSession = ({ newAddress }: PagePlace): string =>
  `This browser has no session with this till, or the session has ended. To go on, ${newAddress}.`;
const usedAddress = ({ page, newAddress }: PagePlace): string =>
  `This address was used before, or is not complete. The browser that opened it goes on at <a href="${page}">the screen</a>. For another browser, ${newAddress}.`;

/** A browser says which page asks for a file. To go to the screen by a link is everybody's. */
function isOfAnotherPage(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  return site !== undefined && site !== 'same-origin' && site !== 'none' && mode !== 'navigate';
}

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
  const page = refusalPage(sentence);
  return { status, headers: { ...headers, ...page.headers }, body: page.body };
}

function send(incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: PageAnswer): void {
  response.writeHead(status, { ...pageHeaders, ...headers, 'content-length': body?.length ?? 0 });
  response.end(incoming.method === 'HEAD' ? undefined : (body ?? undefined));
}
