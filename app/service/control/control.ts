import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { createRouter } from '../../../shared/contract/router.ts';
import type { Result } from '../answer.ts';
import { bearerToken, isLoopback, type Keyring, refuseKey } from '../calls/authentication.ts';
import type { IncomingCall } from '../calls/exchange.ts';
import { readJsonBody, readQuery } from '../calls/read-call.ts';
import { refuseRoute } from '../calls/routes.ts';
import { validate } from '../validate.ts';
import type { ControlContext } from './control-context.ts';
import { controlRoutes } from './control-routes.ts';

/** A call to the control API; `path` is relative to `control_url`. */
export interface IncomingControlCall {
  readonly incoming: IncomingCall;
  readonly path: string;
  readonly search: string;
}

export type ControlHandler = (call: IncomingControlCall) => Result;

const findRoute = createRouter(controlRoutes.map((route) => ({ ...route, target: route })));
const noFields = z.strictObject({});

/** What opens the control API, from this machine only. */
type ControlDoor =
  /** The key of any partner. The sandbox's own always do, so that a tester who revokes one is not locked out. */
  | { readonly kind: 'partners'; readonly ownKeys: readonly string[] }
  /** One key that no partner has; whoever calls with it acts as `source`. */
  | { readonly kind: 'control_key'; readonly key: string; readonly source: string };

/** The control API's door and its table. Faults, rate limits and suspension never come here. */
export function createControl(context: ControlContext, door: ControlDoor): ControlHandler {
  return ({ incoming, path, search }) => {
    const source = admit(context.keyring, incoming, door);
    if (source === null) return refuseKey();
    const route = findRoute(incoming.method, path === '' ? '/' : path);
    if (route.kind !== 'found') return refuseRoute(route);
    const [param = ''] = Object.values(route.params);
    const query = readQuery(search);
    if (query.kind === 'refused') return query;
    const body = readJsonBody(incoming);
    if (body.kind === 'refused') return body;
    const { takes, run } = route.target;
    const call = {
      source,
      origin: incoming.origin,
      param,
      query: query.value,
      body: body.value === undefined ? {} : body.value,
    };
    const unasked = validate(noFields, takes === 'query' ? {} : call.query);
    if (unasked.kind === 'refused') return unasked;
    const unread = validate(noFields, takes === 'body' ? {} : call.body);
    return unread.kind === 'refused' ? unread : run(context, call);
  };
}

/** The partner as whom the caller acts; null: the door stays shut. */
function admit(keyring: Keyring, incoming: IncomingCall, door: ControlDoor): string | null {
  if (!isLoopback(incoming.address)) return null;
  const authorization = incoming.header('authorization');
  const token = bearerToken(authorization);
  if (door.kind === 'control_key') return isKey(token, door.key) ? door.source : null;
  if (token !== null && door.ownKeys.includes(token)) return keyring.find(token)?.source ?? null;
  return keyring.authenticate(authorization, incoming.address)?.source ?? null;
}

/** Its length is no secret. */
function isKey(token: string | null, key: string): boolean {
  const [given, known] = [Buffer.from(token ?? ''), Buffer.from(key)];
  return given.length === known.length && timingSafeEqual(given, known);
}
