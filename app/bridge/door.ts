import { singleHeaders } from '../../shared/contract/request-parts.ts';
import { areSeveralHosts, isLoopbackHost } from '../http/host-rule.ts';
import type { Failure } from './answers.ts';
import type { BridgeRequest } from './request-and-answer.ts';
import { type Caller, isSameText, type TokenCheck } from './tokens.ts';

/** Who may speak to the bridge (design "Door"): no web page on the till, unless its origin is listed. */
export interface DoorRules {
  /** The port that the bridge listens on. */
  readonly port: () => number;
  /** Web origins that may call, such as `https://pos.example`. */
  readonly origins: readonly string[];
  readonly tokens: TokenCheck;
  /** The data folder's secret. Store IT's commands send it, and no POS program has it. */
  readonly officeSecret: string;
}

/** The first decision about a request, before anything else reads it. */
type Admission =
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** `corsHeaders` go with every answer. */
  | { readonly kind: 'admitted'; readonly corsHeaders: Readonly<Record<string, string>> };

export function admit(request: BridgeRequest, rules: DoorRules): Admission {
  const host = request.header('host');
  if (areSeveralHosts(host)) {
    const message = 'Send one Host header only.';
    return { kind: 'refused', failure: { status: 400, code: 'VALIDATION_ERROR', message, details: ['several_hosts'] } };
  }
  for (const name of singleHeaders) {
    if (request.isRepeated?.(name) !== true) continue;
    const message = `Send one ${name} header only.`;
    return {
      kind: 'refused',
      failure: { status: 400, code: 'VALIDATION_ERROR', message, details: ['several_headers'] },
    };
  }
  if (!isLoopbackHost(host, rules.port())) {
    const message = `The Host header must name this agent by its loopback address with its port, such as 127.0.0.1:${rules.port()}.`;
    return forbidden(message, 'host_not_allowed');
  }
  const origin = request.header('origin');
  if (origin === undefined) return { kind: 'admitted', corsHeaders: {} };
  if (!rules.origins.includes(origin)) {
    return forbidden('This web origin is not listed in bridge.origins of the settings.', 'origin_not_allowed');
  }
  return {
    kind: 'admitted',
    corsHeaders: {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'X-Request-Id, X-Service-Transaction-Id, Retry-After',
      vary: 'Origin',
    },
  };
}

/** The answer when a listed page asks what it may send. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
};

export type Authentication =
  | { readonly kind: 'pos'; readonly caller: Caller }
  | { readonly kind: 'office' }
  | { readonly kind: 'refused'; readonly failure: Failure };

export function authenticate(
  request: BridgeRequest,
  { tokens, officeSecret }: Pick<DoorRules, 'tokens' | 'officeSecret'>,
): Authentication {
  const presented = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
  if (presented !== undefined) {
    if (isSameText(presented, officeSecret)) return { kind: 'office' };
    const caller = tokens(presented);
    if (caller !== null) return { kind: 'pos', caller };
  }
  return {
    kind: 'refused',
    failure: {
      status: 401,
      code: 'UNAUTHENTICATED',
      message: 'Send the POS token of this agent: Authorization: Bearer <token>.',
      headers: { 'www-authenticate': 'Bearer' },
    },
  };
}

function forbidden(message: string, detail: string): Admission {
  return {
    kind: 'refused',
    failure: { status: 403, code: 'UNAUTHENTICATED', message, details: [detail] },
  };
}
