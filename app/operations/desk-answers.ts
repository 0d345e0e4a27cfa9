import type { PausingCause } from '../connectivity.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';
import { type ImmediateWrite, valuesOf } from './immediate-write.ts';
import type { Operation } from './operation.ts';

export function notSent(cause: PausingCause): Extract<ImmediateOutcome, { kind: 'not_sent' }> {
  return { kind: 'not_sent', cause, message: 'The service cannot be reached; nothing was sent.' };
}

/** Its customer was told to pay in full: it is spent under no later request. */
export function paidInFull(operation: Operation): ImmediateOutcome {
  const error = {
    code: 'DUPLICATE_TRANSACTION',
    message: `${operation.externalRef} was paid in full instead: it is not spent.`,
    retryable: false,
    request_id: operation.transactionId,
    details: ['paid_in_full'],
  };
  return { kind: 'refused', operation, refusal: { error, body: { error }, httpStatus: 409 } };
}

export function notSaved(error: unknown): Extract<ImmediateOutcome, { kind: 'not_saved' }> {
  return { kind: 'not_saved', message: messageOf(error) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The reference stands for another write. */
export function taken(operation: Operation, write: ImmediateWrite): ImmediateOutcome {
  const differing = differingValues(operation, write);
  return { kind: 'reference_taken', operation, differingFields: differing.length === 0 ? ['body'] : differing };
}

/** The values in which a write differs from the operation that has its reference. */
export function differingValues(operation: Operation, write: ImmediateWrite): readonly string[] {
  const values = valuesOf(write.body);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['card_id', operation.cardId, values.card_id],
    ['amount_minor', operation.amountMinor, values.amount_minor],
    ['currency', operation.currency, values.currency],
    ['points', operation.points, values.points],
    ['stamps', operation.stamps, values.stamps],
    ['visits', operation.visits, values.visits],
  ];
  return pairs.filter(([, ours, theirs]) => ours !== theirs).map(([field]) => field);
}
