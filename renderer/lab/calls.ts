import type { EndpointName } from '../../shared/contract/endpoints.ts';

export type CallName = EndpointName;

interface Call {
  readonly method: 'GET' | 'POST';
  /** Relative to the service's address. */
  readonly path: string;
}

/**
 * The service's calls, those of a till first. Their schemas in the contract are too large for the page. A test finds
 * differences from the contract.
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
  // Literal paths are tried before those with a parameter.
  weight: calls[name].path.includes('{') ? 1 : 0,
  pattern: new RegExp(`^${calls[name].path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));
patterns.sort((one, other) => one.weight - other.weight);

/** The call that a request is; null when it is none of the service's. */
export function callOf(method: string, path: string): CallName | null {
  return patterns.find((known) => known.method === method && known.pattern.test(path))?.name ?? null;
}

/** The call that a fault is for; null when it is for several. */
export function callMatched(method: string | undefined, path: string | undefined): CallName | null {
  return callNames.find((name) => calls[name].method === method && calls[name].path === path) ?? null;
}
