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

/** Told to whoever asks for the same while an earlier request is under way: that one does it. */
export function ofEarlier(outcome: ImmediateOutcome): ImmediateOutcome {
  return outcome.kind === 'done' ? { ...outcome, duplicate: true } : outcome;
}

/** Its customer was told to pay in full: it is spent under no later request. */
export function paidInFull(operation: Operation): ImmediateOutcome {
  const error = paidInFullError(operation);
  return { kind: 'refused', operation, refusal: { error, body: { error }, httpStatus: 409 } };
}

/** It was decided while it was sent or looked up: what the service holds is taken back. */
export function unlessPaidInFull(outcome: ImmediateOutcome): ImmediateOutcome {
  const isPaid = outcome.kind === 'done' && outcome.operation.decision === 'take_full_payment';
  return isPaid ? paidInFull(outcome.operation) : outcome;
}

/** What whoever repeats or reads an operation is told whose customer was to pay in full. */
export function paidInFullError({ externalRef, transactionId }: Operation): ReceivedError {
  return {
    code: 'DUPLICATE_TRANSACTION',
    message: `${externalRef} was paid in full: nothing is deducted.`,
    retryable: false,
    request_id: transactionId,
    details: ['paid_in_full'],
  };
}

/** No repeat will ever send it. */
function writtenOff({ externalRef, transactionId }: Operation): ReceivedError {
  return {
    code: 'INTERNAL',
    message: `${externalRef} was written off by a person: nothing is deducted.`,
    retryable: false,
    request_id: transactionId,
    details: ['written_off'],
  };
}

/** Under another reference than the one that is asked for now. */
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
      // It ended with the sale that it was to take back: whoever asks again is told what became of that.
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
