import { type Refusal, refuse } from './answer.ts';

/** A call of the specification that this sandbox does not offer yet. Sending it again would not help. */
export function refuseNotOffered(call: string): Refusal {
  return refuse('INTERNAL', `The sandbox does not offer ${call} yet.`, { status: 501, retryable: false });
}
