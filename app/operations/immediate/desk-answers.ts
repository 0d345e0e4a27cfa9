import type { ReceivedError } from '../../../shared/contract/errors.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { PausingCause } from '../../line/connectivity.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';

export function notSent(cause: PausingCause): Extract<ImmediateOutcome, { kind: 'not_sent' }> {
  return {
    kind: 'not_sent',
    cause,
    message: `Nothing was sent: the service ${whatItDoes[cause]}.`,
    retryAfterMs: null,
  };
}

const whatItDoes: Readonly<Record<PausingCause, string>> = {
  offline: 'cannot be reached',
  tls: 'cannot be reached safely',
  timeout: 'does not answer in time',
  not_the_service: 'cannot be reached',
  service: 'has a fault',
  throttled: 'has asked to wait',
  unauthenticated: 'does not accept the API key',
  suspended: 'has suspended the shop',
};

/** The outcome for a caller who asked while an earlier request for the same was under way: the earlier one did it. */
export function ofEarlier(outcome: ImmediateOutcome): ImmediateOutcome {
  return outcome.kind === 'done' ? { ...outcome, duplicate: true } : outcome;
}

/** The refusal of an operation whose customer was told to pay in full: no later request spends anything. */
export function paidInFull(operation: Operation): ImmediateOutcome {
  const error = paidInFullError(operation);
  return { kind: 'refused', operation, refusal: { error, body: { error }, httpStatus: 409 } };
}

/** A cashier may choose full payment while a request is under way: what the service did is taken back, so it is refused. */
export function unlessPaidInFull(outcome: ImmediateOutcome): ImmediateOutcome {
  const isPaid = outcome.kind === 'done' && outcome.operation.decision === 'take_full_payment';
  return isPaid ? paidInFull(outcome.operation) : outcome;
}

/** The error for whoever repeats or reads an operation whose customer was to pay in full. */
export function paidInFullError({ externalRef, transactionId }: Operation): ReceivedError {
  return {
    code: 'DUPLICATE_TRANSACTION',
    message: `${externalRef} was paid in full: nothing is deducted.`,
    retryable: false,
    request_id: transactionId,
    details: ['paid_in_full'],
  };
}

/** The error of an operation that a person has written off: no repeat sends it. */
function writtenOff({ externalRef, transactionId }: Operation): ReceivedError {
  return {
    code: 'INTERNAL',
    message: `${externalRef} was written off by a person: nothing is deducted.`,
    retryable: false,
    request_id: transactionId,
    details: ['written_off'],
  };
}

/** The refusal of a second reversal: the first one has another reference than the one that is asked for now. */
export function alreadyReversed(reversal: Operation): ImmediateOutcome {
  const error = {
    code: 'ALREADY_REVERSED',
    message: `This transaction was reversed already, under ${reversal.externalRef}.`,
    retryable: false,
    request_id: reversal.transactionId,
  };
  return { kind: 'refused', operation: reversal, refusal: { error, body: { error }, httpStatus: 409 } };
}

/** @param retryAfterMs how long the service asked to wait before its outcome is asked for again; null when it did not */
export function standingOutcome(operation: Operation, retryAfterMs: number | null): ImmediateOutcome {
  switch (operation.state) {
    case 'applied':
    case 'accepted':
    case 'reversed':
      return { kind: 'done', operation, answer: operation.answer, duplicate: false };
    case 'refused':
    case 'failed':
    case 'cancelled':
    case 'written_off': {
      const { state, cause } = operation;
      const error = operation.error ?? (state === 'written_off' ? writtenOff(operation) : null);
      // A deferred reversal is cancelled with its sale: whoever asks again is told what became of the sale.
      if (error === null && operation.delivery === 'deferred') return { kind: 'unknown', operation, retryAfterMs };
      if (error === null) return notSent(cause === null || cause === 'refused' ? 'offline' : cause);
      return { kind: 'refused', operation, refusal: { error, body: { error }, httpStatus: 422 } };
    }
    case 'queued':
    case 'sending':
    case 'unknown':
      return { kind: 'unknown', operation, retryAfterMs };
    default:
      return assertNever(operation.state);
  }
}
