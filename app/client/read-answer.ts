import type { z } from 'zod';
import { type AnswerOf, type Endpoint, type EndpointName, endpoints } from '../../shared/contract/endpoints.ts';
import { errorFactOf } from '../../shared/contract/error-facts.ts';
import { type ReceivedError, receivedErrorBodySchema } from '../../shared/contract/errors.ts';
import { hourMs } from '../../shared/lib/durations.ts';
import { boundedError, cut, mostRequestIdLength } from './bounded-error.ts';
import { cutDepth } from './cut-depth.ts';
import { clockDateMs, httpDateMs } from './http-date.ts';
import { type AnswerFacts, type CallOutcome, type Unknown, unknownOutcome } from './outcome.ts';

/** An answer as it came, before anything is believed of it. */
export interface RawAnswer {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Characters of an answer about one thing, which is kept: a transaction has at most 16 KiB of metadata. */
const mostLengthOfOne = 128 * 1024;
/** A customer has several cards, a reference may stand for several transactions, and a page of history is not kept. */
const mostLengths: Partial<Readonly<Record<EndpointName, number>>> = {
  identify: 512 * 1024,
  transactionsByReference: 512 * 1024,
  history: Number.POSITIVE_INFINITY,
};

/**
 * Says what an answer means (spec "Errors"; design "Causes are told apart"). Only an answer in the specification's
 * shape is believed: a captive portal's 200 or a proxy's 404 is not the service.
 */
export function readAnswer<N extends EndpointName>(name: N, raw: RawAnswer, nowMs: number): CallOutcome<AnswerOf<N>> {
  const facts = factsOf(raw);
  const mostLength = mostLengths[name] ?? mostLengthOfOne;
  const isTooLong = raw.body.length > mostLength;
  const body = parseJson(raw.body);
  const endpoint: Endpoint = endpoints[name];
  const schema = endpoint.answers[raw.httpStatus] as z.ZodType<AnswerOf<N>> | undefined;
  if (schema !== undefined && isTooLong) {
    return notTheService(`HTTP ${raw.httpStatus} with a body of more than ${mostLength} characters`, facts);
  }
  if (schema !== undefined) {
    const answer = schema.safeParse(body);
    if (answer.success) return { kind: 'done', answer: answer.data, facts };
    return notTheService(`HTTP ${raw.httpStatus} with a body that is not an answer to ${name}`, facts);
  }
  const refusal = receivedErrorBodySchema.safeParse(body);
  if (raw.httpStatus < 400 || !refusal.success) {
    return notTheService(`HTTP ${raw.httpStatus} that is not in the service's shape`, facts);
  }
  const error = boundedError(refusal.data.error);
  if (speaksOfTheAddress(endpoint, raw.httpStatus, error.code)) {
    return notTheService(`HTTP ${raw.httpStatus}: the service's API is not at this address`, facts);
  }
  return readRefusal(error, { facts, body, raw, nowMs });
}

/**
 * An unknown path and a wrong method are refusals in the service's shape too, but of the address: a till with a wrong
 * one must not lose its backlog to them.
 */
function speaksOfTheAddress(endpoint: Endpoint, httpStatus: number, code: string): boolean {
  if (code !== 'VALIDATION_ERROR') return false;
  const isMissing = httpStatus === 404 && endpoint.errors[404]?.includes(code) !== true;
  return isMissing || httpStatus === 405 || httpStatus === 415;
}

function readRefusal(
  error: ReceivedError,
  context: { readonly facts: AnswerFacts; readonly body: unknown; readonly raw: RawAnswer; readonly nowMs: number },
): CallOutcome<never> {
  const { facts, body, raw, nowMs } = context;
  const noAnswer = (cause: Unknown['cause'], recorded: Unknown['recorded']): Unknown => ({
    kind: 'unknown',
    cause,
    recorded,
    message: error.message,
    error,
    facts,
    // A date is counted from the clock of whoever has written it: ours may be wrong.
    retryAfterMs: retryAfterMs(raw.headers['retry-after'], writtenNowMs(raw.headers) ?? nowMs),
  });
  // These three are told before any work is done, whatever the status that carries them, and whatever the code that
  // comes with their status: none is about this request.
  const { httpStatus } = raw;
  if (error.code === 'UNAUTHENTICATED' || httpStatus === 401) return noAnswer('unauthenticated', 'no');
  if (error.code === 'TENANT_SUSPENDED' || httpStatus === 403) return noAnswer('suspended', 'no');
  if (error.code === 'RATE_LIMITED' || httpStatus === 429) return noAnswer('throttled', 'no');
  // Whether a code may be sent again the specification leaves open; what refuses the request itself is sent once only, or a
  // wrong one-time code would use up its attempts; unless its error code is another call's.
  const isRetryable = error.retryable && errorFactOf(error.code)?.retryable !== false;
  if (raw.httpStatus >= 500 || isRetryable) return noAnswer('service', 'maybe');
  return { kind: 'refused', error, facts, body };
}

/** Something else than the service answered, or the service answered something else. */
function notTheService(message: string, facts: AnswerFacts): Unknown {
  return unknownOutcome('not_the_service', message, { facts });
}

/** @returns undefined for what is not JSON */
export function parseJson(text: string): unknown {
  try {
    return cutDepth(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function single(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

function factsOf(raw: RawAnswer): AnswerFacts {
  const requestId = single(raw.headers['x-request-id']);
  return {
    httpStatus: raw.httpStatus,
    requestId: requestId === null ? null : cut(requestId, mostRequestIdLength),
    serviceDateMs: serviceDateMs(raw.headers),
    isKept: isKept(raw.headers),
  };
}

/** What the clock of whoever has written the answer says now: a kept one was written so long ago as its Age tells. */
function writtenNowMs(headers: RawAnswer['headers']): number | null {
  const dateMs = clockDateMs(single(headers.date) ?? '');
  return dateMs === null ? null : dateMs + 1_000 * Math.max(0, ...agesInSeconds(headers));
}

/** Each cache on the way may tell one. */
function agesInSeconds({ age }: RawAnswer['headers']): readonly number[] {
  const ages = [age ?? []].flat().flatMap((told) => told.split(','));
  return ages.map(Number).filter((seconds) => Number.isFinite(seconds));
}

/** Null also where a cache has kept the answer (RFC 9111 "Age"), and where two dates differ: none of them may be chosen. */
function serviceDateMs(headers: RawAnswer['headers']): number | null {
  const { date } = headers;
  const isSure = !Array.isArray(date) || date.every((one) => one === date[0]);
  return isKept(headers) || !isSure ? null : clockDateMs(single(date) ?? '');
}

function isKept(headers: RawAnswer['headers']): boolean {
  return agesInSeconds(headers).some((seconds) => seconds > 0);
}

/** A service that asks for more is asked again after an hour all the same. */
const longestRetryAfterMs = hourMs;

/** Retry-After as seconds or as a date (RFC 9110), in milliseconds from `nowMs`. */
function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const value = single(header);
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Math.min(longestRetryAfterMs, Number(value) * 1000);
  const dateMs = httpDateMs(value);
  return dateMs === null ? null : Math.min(longestRetryAfterMs, Math.max(0, dateMs - nowMs));
}

/** A good answer that was meant for another call. */
export function answerAboutAnother(name: EndpointName, fields: readonly string[], facts: AnswerFacts): Unknown {
  const message = `An answer to ${name} that is about something else: ${fields.join(', ')}`;
  return { ...notTheService(message, facts), isAboutAnother: true };
}
