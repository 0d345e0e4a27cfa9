import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { Cause } from '../../shared/till/views.ts';

/** What was learned of the service beside the answer itself. */
export interface AnswerFacts {
  readonly httpStatus: number;
  readonly requestId: string | null;
  /** The service's Date header in milliseconds since 1970, for measuring the clock's skew; null when it has none. */
  readonly serviceDateMs: number | null;
  /** Whether a cache has kept the answer, and says so (RFC 9111 "Age"). Left out: it does not. */
  readonly isKept?: boolean;
}

/** Whether the service can have seen any of the request. */
export type BytesSent = 'none' | 'maybe';

/** The service did what was asked. */
export interface Done<Answer> {
  readonly kind: 'done';
  readonly answer: Answer;
  readonly facts: AnswerFacts;
}

/** A proven refusal in the specification's shape, about this very request: nothing was recorded for it. */
export interface Refused {
  readonly kind: 'refused';
  readonly error: ReceivedError;
  readonly facts: AnswerFacts;
  /** The whole answer: ALREADY_ENROLLED has the customer beside the error. */
  readonly body: unknown;
}

/**
 * No valid answer about this request. `recorded` tells what follows for a write: `no` when it is proven that nothing
 * was recorded (no connection, or an answer such as 401 or 429 that comes before any work), else `maybe`.
 */
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: Exclude<Cause, 'refused'>;
  readonly recorded: 'no' | 'maybe';
  readonly message: string;
  readonly error: ReceivedError | null;
  readonly facts: AnswerFacts | null;
  /** A good answer, in the service's shape, that is about something else than was asked. */
  readonly isAboutAnother?: true;
  /** It was asked by a call that changes nothing: the service may limit these and not the others. */
  readonly isLookUp?: true;
  /** How long the service asked to wait (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** No valid answer, of which nothing else is known: the service may have recorded what was asked for. @param more what is known */
export function unknownOutcome(
  cause: Unknown['cause'],
  message: string,
  more: Partial<Omit<Unknown, 'kind' | 'cause' | 'message'>> = {},
): Unknown {
  return { kind: 'unknown', cause, recorded: 'maybe', message, error: null, facts: null, retryAfterMs: null, ...more };
}

/** The three kinds of answer, for every call. */
export type CallOutcome<Answer> = Done<Answer> | Refused | Unknown;
