/** How long to wait before the next try. The wait doubles from `baseMs` up to `capMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Full-jitter backoff: a random wait between 0 and the doubled base. So tills that lost one connection together do not
 * all come back at the same moment.
 *
 * @param attempt how many tries have failed so far, from 1
 * @param random a number in [0, 1)
 * @returns milliseconds to wait
 */
export function fullJitterMs(backoff: Backoff, attempt: number, random: number): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 30);
  const ceilingMs = Math.min(backoff.capMs, backoff.baseMs * 2 ** exponent);
  return Math.floor(random * ceilingMs);
}
