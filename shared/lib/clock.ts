/** The longest wait that a timer of the host can hold, in milliseconds: 31 bits. A longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Cancels a timer. It may be called twice, or after the timer fired. */
export type CancelTimer = () => void;

/**
 * The only source of time. Production uses the system's clock, tests use a manual one. An agent with an embedded
 * sandbox follows the sandbox's test clock.
 */
export interface Clock {
  /** Wall time in milliseconds since 1970-01-01T00:00:00Z. It may jump. */
  now(): number;
  /** Milliseconds since an arbitrary start, never going back. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs` of this clock. */
  setTimer(callback: () => void, delayMs: number): CancelTimer;
}

/** `2026-11-20T18:13:00.000Z`: the form in which every instant is stored and sent (UTC, milliseconds). */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
