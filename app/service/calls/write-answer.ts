import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../answer.ts';
import type { OutgoingAnswer } from './exchange.ts';

/** Makes the answer of a result: body, request id, and the service's time, by which a caller measures its skew. */
export type WriteAnswer = (result: Result, requestId: string) => OutgoingAnswer;

export function createWriteAnswer(clock: Pick<Clock, 'now'>): WriteAnswer {
  let second = Number.NaN;
  let date = '';
  function dateHeader(): string {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      date = new Date(now * 1000).toUTCString();
    }
    return date;
  }
  return (result, requestId) => ({
    status: result.status,
    headers: {
      'Content-Type': 'application/json',
      Date: dateHeader(),
      'X-Request-Id': requestId,
      ...(result.kind === 'refused' ? result.headers : undefined),
    },
    body: JSON.stringify(result.kind === 'refused' ? errorBody(result, requestId) : result.body),
  });
}

/** Spec "Errors". */
function errorBody(refusal: Extract<Result, { kind: 'refused' }>, requestId: string): object {
  const { code, message, retryable, details, beside } = refusal;
  const error = { code, message, retryable, request_id: requestId };
  return { error: details === undefined ? error : { ...error, details }, ...beside };
}
