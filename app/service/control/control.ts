import { type Refusal, type Result, refuse, refuseFields } from '../answer.ts';
import { bearerToken, isLoopback, type Keyring, refuseKey } from '../authentication.ts';
import type { IncomingCall } from '../exchange.ts';
import { readJsonBody, readQuery } from '../read-call.ts';
import { decodeSegment } from '../routes.ts';
import type { ControlContext } from './control-context.ts';
import { type ControlCall, controlRoutes } from './control-routes.ts';

/** A call to the control API; `path` is relative to `control_url`. */
export interface IncomingControlCall {
  readonly incoming: IncomingCall;
  readonly path: string;
  readonly search: string;
}

export type ControlHandler = (call: IncomingControlCall) => Result;

interface CompiledRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly run: (context: ControlContext, call: ControlCall) => Result;
}

const routes: readonly CompiledRoute[] = controlRoutes.map(({ method, path, run }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  run,
}));

/** The control API's door and its table. Faults, rate limits and suspension never come here. */
export function createControl(context: ControlContext, options: { readonly ownKey: string }): ControlHandler {
  return ({ incoming, path, search }) => {
    const source = admit(context.keyring, incoming, options.ownKey);
    if (source === null) return refuseKey();
    const there = routes
      .map((route) => ({ route, match: route.pattern.exec(path === '' ? '/' : path) }))
      .filter(({ match }) => match !== null);
    if (there.length === 0) return refuse('VALIDATION_ERROR', 'There is nothing at this path.', { status: 404 });
    const picked = there.find(({ route }) => route.method === incoming.method);
    if (picked === undefined) return refuseMethod(there.map(({ route }) => route.method));
    const param = decodeSegment(picked.match?.[1] ?? '');
    if (param === null) return refuseFields([{ field: 'path', problem: 'is not percent-encoded UTF-8' }]);
    const query = readQuery(search);
    if (query.kind === 'refused') return query;
    const body = readJsonBody(incoming);
    if (body.kind === 'refused') return body;
    const call = { source, origin: incoming.origin, param, query: query.value, body: body.value ?? {} };
    return picked.route.run(context, call);
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

function refuseMethod(methods: readonly string[]): Refusal {
  const Allow = methods.join(', ');
  return refuse('VALIDATION_ERROR', `This path takes ${Allow} only.`, { status: 405, headers: { Allow } });
}
