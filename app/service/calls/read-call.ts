import { readJson } from '../../../shared/contract/json-body.ts';
import { maxBodyBytes } from '../../../shared/contract/primitives.ts';
import { type ReadPart, readQuery as readParameters, unreadableBody } from '../../../shared/contract/request-parts.ts';
import { type Refusal, refuse, refuseFields } from '../answer.ts';
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
  const unreadable = unreadableBody((name) => call.header(name));
  if (unreadable !== null) return refuse('VALIDATION_ERROR', unreadable, { status: 415 });
  return orRefusal(readJson(body, utf8));
}

export function readQuery(search: string): ReadResult<Readonly<Record<string, string>>> {
  return orRefusal(readParameters(search));
}

export function orRefusal<T>(part: ReadPart<T>): ReadResult<T> {
  return part.kind === 'read' ? part : refuseFields([part.problem]);
}
