import type { EndpointName } from '../../shared/contract/endpoints.ts';

export type CallName = EndpointName;

interface Call {
  readonly method: 'GET' | 'POST';
  /** Relative to the service's address. */
  readonly path: string;
}

/**
 * The service's calls, the ones of a till first. The contract has them with their schemas, which have no place in the
 * page; a test tells when the two differ.
 */
export const calls: Readonly<Record<CallName, Call>> = {
  earn: { method: 'POST', path: '/transactions/earn' },
  redeem: { method: 'POST', path: '/transactions/redeem' },
  identify: { method: 'POST', path: '/customers/identify' },
  reverse: { method: 'POST', path: '/transactions/reverse' },
  reverseById: { method: 'POST', path: '/transactions/{transaction_id}/reverse' },
  transaction: { method: 'GET', path: '/transactions/{transaction_id}' },
  transactionsByReference: { method: 'GET', path: '/transactions' },
  history: { method: 'GET', path: '/customers/{customer_id}/transactions' },
  enroll: { method: 'POST', path: '/customers/enroll' },
  verify: { method: 'POST', path: '/customers/enroll/verify' },
  reserve: { method: 'POST', path: '/redemptions/reserve' },
  commit: { method: 'POST', path: '/redemptions/{reservation_id}/commit' },
  release: { method: 'POST', path: '/redemptions/{reservation_id}/release' },
};
export const callNames = Object.keys(calls) as readonly CallName[];

const patterns = callNames.map((name) => ({
  name,
  method: calls[name].method,
  // Literal paths come before those with a parameter in their place.
  weight: calls[name].path.includes('{') ? 1 : 0,
  pattern: new RegExp(`^${calls[name].path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));
patterns.sort((one, other) => one.weight - other.weight);

/** Which call a request is; null for none of the service's. */
export function callOf(method: string, path: string): CallName | null {
  return patterns.find((known) => known.method === method && known.pattern.test(path))?.name ?? null;
}

/** Which call a fault is for, when it is for exactly one. */
export function callMatched(method: string | undefined, path: string | undefined): CallName | null {
  return callNames.find((name) => calls[name].method === method && calls[name].path === path) ?? null;
}
