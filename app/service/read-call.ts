import { maxBodyBytes } from '../../shared/contract/primitives.ts';
import { type Refusal, refuse, refuseFields } from './answer.ts';
import type { IncomingCall } from './exchange.ts';

export type ReadResult<T> = { readonly kind: 'read'; readonly value: T } | Refusal;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body's JSON; undefined when there is no body (gap: Errors and limits). */
export function readJsonBody(call: IncomingCall): ReadResult<unknown> {
  const { body } = call;
  if (body === 'too_large') {
    return refuse('VALIDATION_ERROR', `The body must be at most ${maxBodyBytes} bytes.`, { status: 413 });
  }
  if (body === null || body.length === 0) return { kind: 'read', value: undefined };
  if (!isJsonType(call.header('content-type'))) {
    return refuse('VALIDATION_ERROR', 'The body must be JSON: send Content-Type application/json.', { status: 415 });
  }
  try {
    return { kind: 'read', value: JSON.parse(utf8.decode(body)) };
  } catch {
    return refuseFields([{ field: '', problem: 'The body is not JSON.' }]);
  }
}

function isJsonType(contentType: string | null): boolean {
  if (contentType === 'application/json') return true;
  return /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '');
}

/** A query's parameters; one that stands twice is refused, never chosen from. */
export function readQuery(search: string): ReadResult<Readonly<Record<string, string>>> {
  const query: Record<string, string> = {};
  if (search === '') return { kind: 'read', value: query };
  for (const [name, value] of new URLSearchParams(search)) {
    if (Object.hasOwn(query, name)) return refuseFields([{ field: name, problem: 'must stand only once' }]);
    query[name] = value;
  }
  return { kind: 'read', value: query };
}
