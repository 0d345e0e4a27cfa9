import type { IncomingMessage } from 'node:http';
import { isRepeated } from '../../shared/contract/request-parts.ts';

/** The names by which a program on this machine reaches a loopback server. */
const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The Host header as it came; where there are several (RFC 9112, 3.2: 400), all of them, with commas between them, which
 * no name has: a program before us may have gone by another one than we would.
 */
export function hostOf(incoming: IncomingMessage): string | undefined {
  return isRepeated(incoming.rawHeaders, 'host') ? incoming.headersDistinct.host?.join(', ') : incoming.headers.host;
}

/** Whether `hostOf` has found more than one. */
export function areSeveralHosts(host: string | undefined): boolean {
  return host?.includes(',') === true;
}

/**
 * Whether a Host header names this very server. A web page that had its own name point at 127.0.0.1 (DNS rebinding)
 * sends that name here and is told apart by it.
 *
 * @param host the header as it came
 * @param port the port that the server listens on
 */
export function isLoopbackHost(host: string | undefined, port: number): boolean {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host ?? '');
  if (match === null) return false;
  const [, name = '', givenPort] = match;
  return loopbackNames.has(name.toLowerCase()) && Number(givenPort ?? 80) === port;
}
