import type { IncomingCall, Outcome } from '../../app/service/calls/exchange.ts';
import type { Carry } from './counter-shop.ts';

/** Something on the way takes the Date from every answer. */
export async function withoutDate(call: IncomingCall, carry: Carry): Promise<Outcome> {
  const outcome = await carry(call);
  if (outcome.kind !== 'response') return outcome;
  const { Date: _, ...headers } = outcome.response.headers;
  return { ...outcome, response: { ...outcome.response, headers } };
}
