import type { Clock } from '../../../shared/lib/clock.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';

/**
 * A clock for the waits between two tries: it shows the wall time of the start, and goes on evenly from there. Whoever sets
 * the wall clock makes no wait longer, and a tester who holds it still stops none.
 */
export function evenClock(clock: Clock): Clock {
  const startedAtMs = clock.now() - clock.monotonicMs();
  return {
    // A whole number, as the wall clock's: it is stored.
    now: () => Math.round(startedAtMs + clock.monotonicMs()),
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
  };
}

/** A change reckons its wait by the wall clock, which may be held still or set before the wait is over. */
export function withOwnWait(
  change: OperationChange,
  { clock, waits }: Readonly<Record<'clock' | 'waits', Pick<Clock, 'now'>>>,
): OperationChange {
  if (change.nextAttemptAtMs === 0) return change;
  return { ...change, nextAttemptAtMs: waits.now() + change.nextAttemptAtMs - clock.now() };
}
