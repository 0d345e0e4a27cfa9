import { z } from 'zod';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { unknownOutcome } from '../client/outcome.ts';
import type { ImmediateOutcome } from '../operations/immediate/immediate-outcome.ts';
import type { NotSaved } from '../operations/requests/not-saved.ts';
import type { AboveLimit } from '../operations/requests/value-limits.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { Reply } from './answers.ts';
import { type Failure, jsonAnswer, refusedAnswer, unknownFailure } from './answers.ts';
import { referenceTaken } from './reference-taken.ts';

/** The service's good answer to a write, and the operation's row. */
export interface GoodAnswer {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly operation: Operation;
  /** The write was done before, for the same request. */
  readonly duplicate: boolean;
}

const answerSchema = z.record(z.string(), z.unknown());

/** The answer to a write for which a POS program waited (design "Others", "Own failures"). */
export function answerOutcome(
  outcome: ImmediateOutcome,
  good: (answer: GoodAnswer) => {
    readonly status: number;
    readonly body: object;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Reply {
  switch (outcome.kind) {
    case 'done': {
      const { operation, duplicate } = outcome;
      const { status, body, headers } = good({
        answer: answerSchema.parse(outcome.answer ?? {}),
        operation,
        duplicate,
      });
      return jsonAnswer(status, body, headers ?? {});
    }
    case 'refused':
      return refusedAnswer(outcome.refusal, outcome.refusal.httpStatus);
    case 'not_sent': {
      const { cause, message, retryAfterMs } = outcome;
      return unknownFailure(unknownOutcome(cause, message, { recorded: 'no', retryAfterMs }));
    }
    case 'unknown':
      return outcomeUnknown(outcome.operation, outcome.retryAfterMs);
    case 'reference_taken':
      return referenceTaken(outcome.operation, outcome);
    case 'above_limit':
      return aboveLimit(outcome.limit);
    case 'not_saved':
      return notSaved(outcome);
    default:
      return assertNever(outcome);
  }
}

/** The write may have happened. The same request again finds out. */
export function outcomeUnknown(operation: Operation, retryAfterMs: number | null = null): Failure {
  const { cause } = operation;
  // These causes concern only the last attempt, which recorded nothing. They say nothing about the attempt before it.
  const isOnlyOfLastAttempt = cause === null || cause === 'refused' || cause === 'throttled' || cause === 'suspended';
  const knownCause = isOnlyOfLastAttempt ? 'timeout' : cause;
  return unknownFailure(unknownOutcome(knownCause, 'the outcome is not known yet', { retryAfterMs }));
}

/** A POS program cannot ask for a PIN, so the answer names the setting with the limit. */
export function aboveLimit({ name, value, field }: AboveLimit): Failure {
  const what = name.includes('per_hour') ? 'with what was taken within the last hour it is' : 'is';
  return {
    status: 422,
    code: 'VALIDATION_ERROR',
    message: `${field}: ${what} above this till's limit of ${value} (limits.${name}); nothing was done. A manager can confirm it at the screen.`,
    details: [{ field, problem: 'above_limit', limit: name, value }],
  };
}

export function notSaved({ message, isFault = false }: NotSaved): Failure {
  return {
    status: 500,
    code: 'INTERNAL',
    message: `Nothing was sent: ${isFault ? 'this till has a fault' : 'the disk could not be written'}. (${message})`,
    details: ['not_saved'],
  };
}
