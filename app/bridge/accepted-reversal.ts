import type { Operation } from '../store/schema/operation.ts';
import { serviceIdHeader } from './reads.ts';

interface Taken {
  readonly duplicate: boolean;
  /** The original's id: at the service where this till has no operation of it, and null where that is not known either. */
  readonly reverses: string | null;
}

/** The answer about a reversal that is taken. It has the shape of the first answer, even when the outcome was read later. */
export function acceptedReversal(reversal: Operation, { duplicate, reverses }: Taken) {
  return {
    status: duplicate ? 200 : 202,
    body: {
      transaction_id: reversal.transactionId,
      status: 'pending',
      duplicate,
      reverses_transaction_id: reverses,
    },
    headers: serviceIdHeader(reversal),
  };
}
