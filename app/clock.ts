import { performance } from 'node:perf_hooks';
import type { Clock } from '../shared/lib/clock.ts';

/** The longest wait that a Node timer can hold, in milliseconds; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** This machine's clock: composition roots hand it to everything that needs time. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), longestTimerMs));
      return () => clearTimeout(timer);
    },
  };
}
