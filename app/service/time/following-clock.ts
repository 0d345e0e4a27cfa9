import type { Clock } from '../../../shared/lib/clock.ts';

/** What is followed: a clock that a tester can move, and the news that it was. */
interface FollowedClock {
  readonly clock: Clock;
  onClockChange(listener: () => void): () => void;
}

interface FollowingTimer {
  readonly dueAtMs: number;
  readonly fire: () => void;
}

/**
 * The clock of a program that lives with the sandbox: it shows the sandbox's time, but goes on working while a tester
 * holds that still. A timer fires when the host's clock has waited its delay or when the sandbox's time has passed its
 * instant, whichever comes first.
 */
export function followingClock(followed: FollowedClock, hostClock: Clock): Clock {
  const timers = new Set<FollowingTimer>();
  followed.onClockChange(() => {
    const nowMs = followed.clock.now();
    const due = [...timers].filter((timer) => timer.dueAtMs <= nowMs).sort((one, other) => one.dueAtMs - other.dueAtMs);
    for (const timer of due) if (timers.has(timer)) timer.fire();
  });

  return {
    now: () => followed.clock.now(),
    monotonicMs: () => followed.clock.monotonicMs(),
    setTimer(callback, delayMs) {
      const cancelOnHost = hostClock.setTimer(() => timer.fire(), delayMs);
      const timer: FollowingTimer = {
        dueAtMs: followed.clock.now() + delayMs,
        fire() {
          if (!timers.delete(timer)) return;
          cancelOnHost();
          callback();
        },
      };
      timers.add(timer);
      return () => {
        if (timers.delete(timer)) cancelOnHost();
      };
    },
  };
}
