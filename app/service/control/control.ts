import { createRouter } from '../../../shared/contract/router.ts';
import type { Result } from '../answer.ts';
import { bearerToken, isLoopback, type Keyring, refuseKey } from '../calls/authentication.ts';
import type { IncomingCall } from '../calls/exchange.ts';
import { readJsonBody, readQuery } from '../calls/read-call.ts';
import { refuseRoute } from '../calls/routes.ts';
import type { ControlContext } from './control-context.ts';
import { controlRoutes } from './control-routes.ts';

/** A call to the control API; `path` is relative to `control_url`. */
export interface IncomingControlCall {
  readonly incoming: IncomingCall;
  readonly path: string;
  readonly search: string;
}

export type ControlHandler = (call: IncomingControlCall) => Result;

const findRoute = createRouter(controlRoutes.map(({ method, path, run }) => ({ method, path, target: run })));

/** The control API's door and its table. Faults, rate limits and suspension never come here. */
export function createControl(context: ControlContext, options: { readonly ownKey: string }): ControlHandler {
  return ({ incoming, path, search }) => {
    const source = admit(context.keyring, incoming, options.ownKey);
    if (source === null) return refuseKey();
    const route = findRoute(incoming.method, path === '' ? '/' : path);
    if (route.kind !== 'found') return refuseRoute(route);
    const [param = ''] = Object.values(route.params);
    const query = readQuery(search);
    if (query.kind === 'refused') return query;
    const body = readJsonBody(incoming);
    if (body.kind === 'refused') return body;
    const call = { source, origin: incoming.origin, param, query: query.value, body: body.value ?? {} };
    return route.target(context, call);
  };
}

/**
 * The partner whose key opens the control API, from this machine only. The sandbox's own key always does, so that a
 * tester who revokes it is not locked out.
 */
function admit(keyring: Keyring, incoming: IncomingCall, ownKey: string): string | null {
  if (!isLoopback(incoming.address)) return null;
  const authorization = incoming.header('authorization');
  if (bearerToken(authorization) === ownKey) return keyring.find(ownKey)?.source ?? null;
  return keyring.authenticate(authorization, incoming.address)?.source ?? null;
}
