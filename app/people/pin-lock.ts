import { minuteMs } from '../../shared/lib/durations.ts';

/** So many wrong ones in a row lock it. */
export const failuresBeforeLock = 5;
const firstLockMs = minuteMs;
const longestLockMs = 900_000;

/** How long the PIN is locked after so many wrong ones in a row: a minute at the fifth, doubled at each further one. */
export function lockMsAfter(failureCount: number): number {
  if (failureCount < failuresBeforeLock) return 0;
  return Math.min(longestLockMs, firstLockMs * 2 ** (failureCount - failuresBeforeLock));
}
