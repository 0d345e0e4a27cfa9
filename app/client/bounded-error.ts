import type { ReceivedError } from '../../shared/contract/errors.ts';

/** Characters of each; the specification's own are far shorter. */
const mostCodeLength = 64;
const mostMessageLength = 1_000;
export const mostRequestIdLength = 128;
/** Of all details together, as JSON. */
const mostDetailsLength = 16 * 1024;

/**
 * An error of the service with as much of its words as anybody reads: it is kept with its operation, and with each line
 * of the history that it has made. What does not fit is cut; of the details the first ones that fit stay.
 */
export function boundedError(error: ReceivedError): ReceivedError {
  const { code, message, request_id, details } = error;
  return {
    ...error,
    code: cut(code, mostCodeLength),
    message: cut(message, mostMessageLength),
    request_id: cut(request_id, mostRequestIdLength),
    ...(details === undefined ? {} : { details: firstThatFit(details) }),
  };
}

/** Never half of a character of two parts. */
export function cut(words: string, length: number): string {
  if (words.length <= length) return words;
  const last = words.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return words.slice(0, isHalf ? length - 1 : length);
}

function firstThatFit(details: readonly unknown[]): unknown[] {
  const kept: unknown[] = [];
  let length = 0;
  for (const detail of details) {
    length += (JSON.stringify(detail)?.length ?? 0) + 1;
    if (length > mostDetailsLength) break;
    kept.push(detail);
  }
  return kept;
}
