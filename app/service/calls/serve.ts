import { type Endpoint, type EndpointName, endpoints } from '../../../shared/contract/endpoints.ts';
import { readIdempotencyKey } from '../../../shared/contract/request-parts.ts';
import type { RouteMatch } from '../../../shared/contract/router.ts';
import { type Refusal, refuse, refuseFields } from '../answer.ts';
import type { ServiceContext } from '../context.ts';
import { type Caller, type Keyring, refuseKey } from './authentication.ts';
import { endpointHandlers, type FittingCall } from './endpoint-handlers.ts';
import type { RateLimiter } from './rate-limit.ts';
import { orRefusal, type ReadResult, readQuery } from './read-call.ts';
import type { ReceivedCall } from './received-call.ts';
import { findEndpoint, refuseRoute } from './routes.ts';

export interface Door {
  readonly keyring: Keyring;
  readonly rateLimiter: RateLimiter;
}

/** A call that may go on to the contract and the rules. */
export interface AdmittedCall {
  readonly kind: 'admitted';
  /** Whether its rules may change the store. */
  readonly isWrite: boolean;
  /** Holds it against the contract. */
  read(): FittingCall | Refusal;
}

/** One call of the specification, first part: the door and the route. Then the contract, then the rules. */
export function admit(context: ServiceContext, door: Door, call: ReceivedCall): AdmittedCall | Refusal {
  const { incoming } = call;
  const caller = door.keyring.authenticate(incoming.header('authorization'), incoming.address);
  if (caller === null) return refuseKey();
  const settings = context.settings.current;
  if (settings.suspended) return refuse('TENANT_SUSPENDED', 'This tenant is suspended.');
  const limited = door.rateLimiter.take(caller.source, settings.rate_limit);
  if (limited !== null) return limited;

  const route: RouteMatch<EndpointName> = call.isForService
    ? findEndpoint(incoming.method, call.path)
    : { kind: 'unknown_path' };
  if (route.kind !== 'found') return refuseRoute(route);
  const routed = { name: route.target, params: route.params, caller };
  const isWrite = endpoints[route.target].kind === 'write';
  return { kind: 'admitted', isWrite, read: () => readCall(context, call, routed) };
}

interface RoutedCall {
  readonly name: EndpointName;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
}

function readCall(
  context: ServiceContext,
  served: ReceivedCall,
  { name, params, caller }: RoutedCall,
): FittingCall | Refusal {
  const endpoint: Endpoint = endpoints[name];
  const query = readQuery(served.search);
  if (query.kind === 'refused') return query;
  const body = readBody(endpoint, served);
  if (body.kind === 'refused') return body;
  const key = orRefusal(readIdempotencyKey(endpoint, served.incoming.header('idempotency-key')));
  if (key.kind === 'refused') return key;
  const { requestId } = served;
  const call = { caller, requestId, idempotencyKey: key.value, params, query: query.value, body: body.value };
  return endpointHandlers[name](context, call);
}

function readBody(endpoint: Endpoint, served: ReceivedCall): ReadResult<unknown> {
  const read = served.json();
  if (read.kind === 'refused') return read;
  // What is sent to a call that takes no body is unknown fields, all of it.
  if (endpoint.bodyRule === 'none') return { kind: 'read', value: {} };
  if (read.value !== undefined) return read;
  return endpoint.bodyRule === 'optional'
    ? { kind: 'read', value: {} }
    : refuseFields([{ field: 'body', problem: 'is required' }]);
}
