import type { OutgoingAnswer } from '../../../app/service/calls/exchange.ts';
import { type ErrorCode, errorFacts, errorObject } from '../../../shared/contract/errors.ts';

/** What a proxy, or a service with trouble of its own, says in the service's shape. */
export function errorAnswer(code: ErrorCode): OutgoingAnswer {
  const error = errorObject(code, { message: 'A simulated fault.', requestId: 'req_fault' });
  return {
    status: errorFacts[code].status,
    headers: { 'Content-Type': 'application/json', ...(code === 'RATE_LIMITED' ? { 'Retry-After': '2' } : {}) },
    body: JSON.stringify({ error }),
  };
}

/** What a hotel's or a provider's network says before somebody has signed in. */
export const portalAnswer: OutgoingAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/html' },
  body: '<!doctype html><title>Welcome</title>',
};
