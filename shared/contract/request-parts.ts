// Rules for the parts of a request that the bridge and the service share.
import type { Endpoint } from './endpoints.ts';
import { maxIdempotencyKeyLength } from './primitives.ts';
import type { Problem } from './problems.ts';

export type ReadPart<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'bad'; readonly problem: Problem };

/** Splits a request's target into path and query; the query has no question mark. */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, search: '' } : { path: target.slice(0, mark), search: target.slice(mark + 1) };
}

/**
 * A request line's target without the address that a client may write before the path, as for a proxy. That address
 * then replaces the Host header (RFC 9112, 3.2.2).
 *
 * @returns `authority` is null when there was none
 */
export function originForm(target: string): { readonly target: string; readonly authority: string | null } {
  const absolute = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(target);
  if (absolute === null) return { target, authority: null };
  const rest = target.slice(absolute[0].length);
  return { target: rest.startsWith('/') ? rest : `/${rest}`, authority: absolute[1] ?? '' };
}

/**
 * The headers that say who calls and which request it is. Where one of them comes twice, nobody can say which value
 * counts: the bridge and the sandbox answer 400.
 */
export const singleHeaders = ['authorization', 'idempotency-key'] as const;

/**
 * Whether a header came more than once. Node's `headersDistinct` would sort all headers of each request only for this.
 *
 * @param rawHeaders names and values in turns, as they came
 */
export function isRepeated(rawHeaders: readonly string[], lowerCaseName: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) count += 1;
  }
  return count > 1;
}

/**
 * A query's parameters. A parameter that comes twice is refused, because neither value may be chosen, and so is one that is
 * no UTF-8: with U+FFFD in its place, as `URLSearchParams` reads it, nothing would be found.
 *
 * @param search as in the target, without the question mark
 */
export function readQuery(search: string): ReadPart<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {};
  if (search === '') return { kind: 'read', value: values };
  for (const part of search.split('&')) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const field = mark === -1 ? part : part.slice(0, mark);
    const name = decoded(field);
    const value = mark === -1 ? '' : decoded(part.slice(mark + 1));
    if (name === null || value === null) return { kind: 'bad', problem: { field, problem: notPercentEncoded } };
    if (Object.hasOwn(values, name)) return { kind: 'bad', problem: { field: name, problem: 'must stand only once' } };
    values[name] = value;
  }
  return { kind: 'read', value: values };
}

/** Of a part of a path or of a query. */
export const notPercentEncoded = 'is not percent-encoded UTF-8';

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const jsonType = /^application\/(?:[\w.-]+\+)?json$/i;
const otherCharset = /^\s*charset\s*=(?!\s*"?utf-?8"?\s*$)/i;

/**
 * Why a body is not even looked at (415): its Content-Type is not JSON in UTF-8, of any kind (decisions "Errors and
 * limits"; what its other parameters say changes nothing), or it is compressed. Null when it may be read.
 */
export function unreadableBody(header: (lowerCaseName: string) => string | null | undefined): string | null {
  if (!isJsonType(header('content-type') ?? '')) return 'Send the body as Content-Type: application/json.';
  if (!isPlain(header('content-encoding') ?? '')) return 'Send the body as it is, without a Content-Encoding.';
  return null;
}

function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.split(';');
  return jsonType.test(type.trim()) && !parameters.some((parameter) => otherCharset.test(parameter));
}

function isPlain(contentEncoding: string): boolean {
  return contentEncoding.split(',').every((coding) => /^\s*(?:identity)?\s*$/i.test(coding));
}

/** Null when the header is absent or empty, or when this call does not use it. */
export function readIdempotencyKey(endpoint: Endpoint, header: string | null | undefined): ReadPart<string | null> {
  const key = endpoint.idempotencyKey ? (header ?? '') : '';
  if (key === '') return { kind: 'read', value: null };
  if (key.length <= maxIdempotencyKeyLength) return { kind: 'read', value: key };
  const problem = `must have at most ${maxIdempotencyKeyLength} characters`;
  return { kind: 'bad', problem: { field: 'Idempotency-Key', problem } };
}
