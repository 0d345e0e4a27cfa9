import { splitTarget } from '../../../shared/contract/request-parts.ts';
import type { IncomingCall } from './exchange.ts';
import { servicePath } from './paths.ts';
import { type ReadResult, readJsonBody } from './read-call.ts';

/** A call to the service itself, with what is already known of it. */
export interface ReceivedCall {
  readonly incoming: IncomingCall;
  readonly requestId: string;
  /** Whether the path lies under `base_url`; nothing else is there. */
  readonly isForService: boolean;
  /** Relative to `base_url` when it lies there. */
  readonly path: string;
  readonly search: string;
  /** The body's JSON, read when first asked for, and once. */
  json(): ReadResult<unknown>;
  bodyWasRead(): boolean;
  /** The reference that the query names, if any. */
  queryRef(): string | null;
  /** The reference that the query or the body names, if any. */
  externalRef(): string | null;
}

export function receiveCall(incoming: IncomingCall, requestId: string): ReceivedCall {
  const { path, search } = splitTarget(incoming.target);
  const relative = servicePath(path);
  let read: ReadResult<unknown> | null = null;
  function json(): ReadResult<unknown> {
    read ??= readJsonBody(incoming);
    return read;
  }
  const queryRef = (): string | null => (search === '' ? null : new URLSearchParams(search).get('external_ref'));
  return {
    incoming,
    requestId,
    isForService: relative !== null,
    path: relative ?? path,
    search,
    json,
    bodyWasRead: () => read !== null,
    queryRef,
    externalRef: () => queryRef() ?? externalRefIn(json()),
  };
}

function externalRefIn(body: ReadResult<unknown>): string | null {
  if (body.kind === 'refused' || typeof body.value !== 'object' || body.value === null) return null;
  const value: unknown = Reflect.get(body.value, 'external_ref');
  return typeof value === 'string' ? value : null;
}
