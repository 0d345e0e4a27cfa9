import { type Endpoint, type EndpointName, endpoints } from '../../shared/contract/endpoints.ts';
import { maxIdempotencyKeyLength } from '../../shared/contract/primitives.ts';
import { type Result, refuse, refuseFields } from './answer.ts';
import { type Caller, type Keyring, refuseKey } from './authentication.ts';
import type { ServiceContext } from './context.ts';
import { endpointHandlers } from './endpoint-handlers.ts';
import type { IncomingCall } from './exchange.ts';
import type { RateLimiter } from './rate-limit.ts';
import { type ReadResult, readQuery } from './read-call.ts';
import type { ReceivedCall } from './received-call.ts';
import { findRoute, type Route } from './routes.ts';

export interface Door {
  readonly keyring: Keyring;
  readonly rateLimiter: RateLimiter;
}

/** One call of the specification: the door, the route, the contract, then the rules. */
export function serve(context: ServiceContext, door: Door, call: ReceivedCall): Result {
  const { incoming } = call;
  const caller = door.keyring.authenticate(incoming.header('authorization'), incoming.address);
  if (caller === null) return refuseKey();
  const settings = context.settings.current;
  if (settings.suspended) return refuse('TENANT_SUSPENDED', 'This tenant is suspended.');
  const limited = door.rateLimiter.take(caller.source, settings.rate_limit);
  if (limited !== null) return limited;

  const route: Route = call.isForService ? findRoute(incoming.method, call.path) : { kind: 'unknown' };
  switch (route.kind) {
    case 'unknown':
      return refuse('VALIDATION_ERROR', 'There is nothing at this path.', { status: 404 });
    case 'bad_path':
      return refuseFields([{ field: 'path', problem: 'is not percent-encoded UTF-8' }]);
    case 'wrong_method': {
      const Allow = route.allowed.join(', ');
      return refuse('VALIDATION_ERROR', `This path takes ${Allow} only.`, { status: 405, headers: { Allow } });
    }
    case 'endpoint':
      return serveEndpoint(context, call, { name: route.name, params: route.params, caller });
  }
}

interface RoutedCall {
  readonly name: EndpointName;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
}

function serveEndpoint(context: ServiceContext, served: ReceivedCall, { name, params, caller }: RoutedCall): Result {
  const endpoint: Endpoint = endpoints[name];
  const query = readQuery(served.search);
  if (query.kind === 'refused') return query;
  const body = readBody(endpoint, served);
  if (body.kind === 'refused') return body;
  const key = readIdempotencyKey(endpoint, served.incoming);
  if (key.kind === 'refused') return key;
  const { requestId } = served;
  const call = { caller, requestId, idempotencyKey: key.value, params, query: query.value, body: body.value };
  return endpointHandlers[name](context, call);
}

function readBody(endpoint: Endpoint, served: ReceivedCall): ReadResult<unknown> {
  if (endpoint.bodyRule === 'none') return { kind: 'read', value: {} };
  const read = served.json();
  if (read.kind === 'refused' || read.value !== undefined) return read;
  return endpoint.bodyRule === 'optional'
    ? { kind: 'read', value: {} }
    : refuseFields([{ field: 'body', problem: 'is required' }]);
}

/** Null when it is absent, empty, or of no meaning to this call. */
function readIdempotencyKey(endpoint: Endpoint, incoming: IncomingCall): ReadResult<string | null> {
  const key = endpoint.idempotencyKey ? incoming.header('idempotency-key') : null;
  if (key === null || key === '') return { kind: 'read', value: null };
  if (key.length <= maxIdempotencyKeyLength) return { kind: 'read', value: key };
  const problem = `must have at most ${maxIdempotencyKeyLength} characters`;
  return refuseFields([{ field: 'Idempotency-Key', problem }]);
}
