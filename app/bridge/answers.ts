import { type ErrorCode, type ErrorObject, errorObject } from '../../shared/contract/errors.ts';
import { type Problem, problemsInWords } from '../../shared/contract/problems.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Cause } from '../../shared/till/views.ts';
import type { Refused, Unknown } from '../client/outcome.ts';
import type { BridgeAnswer } from './request-and-answer.ts';

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): BridgeAnswer {
  return { status, headers, body: JSON.stringify(value) };
}

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: readonly unknown[];
  /** Only when it differs from the code's usual value. */
  readonly retryable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Reply = BridgeAnswer | Failure;

/** An error of the bridge's own, in the specification's shape. */
export function failureAnswer(failure: Failure, requestId: string): BridgeAnswer {
  const { status, code, message, details, retryable, headers } = failure;
  const error: ErrorObject = errorObject(code, {
    message,
    requestId,
    ...(details === undefined ? {} : { details }),
  });
  return jsonAnswer(status, { error: retryable === undefined ? error : { ...error, retryable } }, headers);
}

export function invalidInput(problems: readonly Problem[]): Failure {
  return { status: 400, code: 'VALIDATION_ERROR', message: problemsInWords(problems), details: problems };
}

/** What a header holds and a log shows as it is. */
const plainId = /^[!-~]+$/;

/** A refusal in the service's own words, under the service's own request id: whoever runs the service can look it up. */
export function refusedAnswer({ error, body }: Pick<Refused, 'error' | 'body'>, httpStatus: number): BridgeAnswer {
  const requestId = error.request_id;
  return jsonAnswer(httpStatus, body, plainId.test(requestId) ? { 'x-request-id': requestId } : {});
}

/** The failure of a read without an answer. It has no outcome to find out, so it can simply be repeated. */
export function readFailure(outcome: Unknown): Failure {
  return noAnswerFailure(outcome, { again: 'try again', detail: outcome.recorded === 'no' ? 'not_sent' : 'no_answer' });
}

/**
 * The failure of a write without an answer about itself. What the service said of its own accord (throttled, suspended)
 * is passed on, because POS programs that are written for the service know it. Everything else is UPSTREAM_TIMEOUT, and
 * `details` says whether the service may have received it (design "Others"). A refused API key is the agent's, not the
 * caller's, so it is never passed on as a 401.
 */
export function unknownFailure(outcome: Unknown): Failure {
  // What was not sent has no outcome to find out: a purchase can as well be paid in another way.
  return outcome.recorded === 'no'
    ? noAnswerFailure(outcome, { again: 'nothing was sent, try again later', detail: 'not_sent' })
    : noAnswerFailure(outcome, { again: 'send the same request again', detail: 'outcome_unknown' });
}

function noAnswerFailure(
  outcome: Unknown,
  { again, detail }: { readonly again: string; readonly detail: string },
): Failure {
  // An error of a socket that did not connect tells a POS program nothing; status and doctor tell store IT.
  const isSaidBySystem = outcome.cause === 'offline' && detail === 'not_sent';
  const asked = outcome.retryAfterMs === null ? {} : { headers: retryAfter(outcome.retryAfterMs) };
  switch (outcome.cause) {
    case 'throttled':
      return {
        status: 429,
        code: 'RATE_LIMITED',
        message: outcome.message,
        headers: retryAfter(outcome.retryAfterMs ?? 1000),
      };
    case 'suspended':
      return { status: 403, code: 'TENANT_SUSPENDED', message: outcome.message, ...asked };
    case 'offline':
    case 'tls':
    case 'timeout':
    case 'not_the_service':
    case 'service':
    case 'unauthenticated':
      return {
        status: 504,
        code: 'UPSTREAM_TIMEOUT',
        message: `${whyNoAnswer(again)[outcome.cause]}${isSaidBySystem ? '' : ` (${outcome.message})`}`,
        details: [detail],
        ...asked,
      };
    default:
      return assertNever(outcome.cause);
  }
}

/** In whole seconds, and at least one: a retry at once would meet the same trouble. */
function retryAfter(afterMs: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.max(1, Math.ceil(afterMs / 1000))) };
}

/** @param again what the caller should do next */
const whyNoAnswer = (
  again: string,
): Readonly<Record<Exclude<Cause, 'refused' | 'throttled' | 'suspended'>, string>> => ({
  offline: `The loyalty service cannot be reached now; ${again}`,
  tls: 'No safe connection to the loyalty service: check its certificate and the clock of this machine',
  timeout: `The loyalty service did not answer in time; ${again}`,
  not_the_service: 'Something other than the loyalty service answered: check the network and base_url',
  service: `The loyalty service has a fault; ${again}`,
  unauthenticated: 'The loyalty service refused the API key of this agent: check api_key in its settings',
});
