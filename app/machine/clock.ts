import { type Clock, longestTimerMs } from '../../shared/lib/clock.ts';
import { monotonicMs } from './monotonic.ts';

/** This machine's clock: composition roots hand it to everything that needs time. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonicMs,
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), longestTimerMs));
      return () => clearTimeout(timer);
    },
  };
}
