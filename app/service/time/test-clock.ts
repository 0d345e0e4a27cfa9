import { z } from 'zod';
import { type CancelTimer, type Clock, longestTimerMs } from '../../../shared/lib/clock.ts';

export const clockModes = ['real', 'manual'] as const;
export type ClockMode = (typeof clockModes)[number];

export const clockStateSchema = z.object({
  mode: z.enum(clockModes),
  /** How far the clock is ahead of the host's while it runs; kept while it is held. */
  offsetMs: z.number(),
  /** The instant that a manual clock shows. */
  heldAtMs: z.number(),
});
type ClockState = z.output<typeof clockStateSchema>;

type ClockMove = { readonly kind: 'moved' } | { readonly kind: 'would_go_back' };

/**
 * The service's own time. It runs with the host's clock, ahead of it by what a tester has advanced, or stands still
 * until it is moved. A timer whose time has come fires by itself, or during the move, in order, each seeing its own
 * instant as now.
 *
 * A move is made as a whole: when a timer that fires in it throws, or the clock's new state cannot be kept, the clock
 * is where it was, and the move throws that error.
 */
export interface TestClock extends Clock {
  readonly mode: ClockMode;
  /** How far it is ahead of the host's; below zero once it has been held for longer than it was ahead. */
  readonly aheadMs: number;
  advance(durationMs: number): void;
  /** Moves to an instant; a clock never goes back. */
  set(instantMs: number): ClockMove;
  setMode(mode: ClockMode): void;
  /** Back to real time: the one move that may go back. @param andThen done at that time, as a part of the move */
  reset(andThen?: () => void): void;
  /** Called after each of the moves above. */
  onChange(listener: () => void): () => void;
  /** Fires what has become due by now: timers of the host may be late. @throws what one of them throws */
  catchUp(): void;
  /** Lets go of the host's timer. */
  stop(): void;
}

interface Timer {
  readonly dueAtMs: number;
  readonly callback: () => void;
}

interface TestClockOptions {
  readonly host: Clock;
  /** What was kept by an earlier run; null for a clock that was never touched. */
  readonly initial: ClockState | null;
  /** Keeps the state over a restart. */
  readonly keep: (state: ClockState) => void;
  /** Does a move with all that becomes due in it: all of it is kept or, when it throws, nothing. */
  readonly asWhole?: (move: () => void) => void;
  /** A move came to nothing: what had become due in it is still to come. */
  readonly onTakenBack?: () => void;
}

export function createTestClock({
  host,
  initial,
  keep,
  asWhole = (move) => move(),
  onTakenBack = () => {},
}: TestClockOptions): TestClock {
  let { mode, offsetMs, heldAtMs }: ClockState = initial ?? { mode: 'real', offsetMs: 0, heldAtMs: host.now() };
  /** While a move is under way: the instant it has come to. */
  let steppedToMs: number | null = null;
  /** What a tester has added: monotonic time covers it too. */
  let movedMs = 0;
  let timers: Timer[] = [];
  let cancelHostTimer: CancelTimer = () => {};
  const listeners = new Set<() => void>();

  function now(): number {
    if (steppedToMs !== null) return steppedToMs;
    return mode === 'real' ? host.now() + offsetMs : heldAtMs;
  }

  function arm(): void {
    cancelHostTimer();
    cancelHostTimer = () => {};
    const first = timers[0];
    if (first === undefined || mode === 'manual') return;
    // A longer wait is taken in steps.
    cancelHostTimer = host.setTimer(onHostTimer, Math.min(Math.max(first.dueAtMs - now(), 0), longestTimerMs));
  }

  function fireUntil(instantMs: number, atItsInstant: boolean): void {
    for (let first = timers[0]; first !== undefined && first.dueAtMs <= instantMs; first = timers[0]) {
      timers.shift();
      if (atItsInstant) steppedToMs = Math.max(now(), first.dueAtMs);
      first.callback();
    }
  }

  function catchUp(): void {
    const first = timers[0];
    if (first === undefined || steppedToMs !== null || first.dueAtMs > now()) return;
    try {
      fireUntil(now(), false);
    } finally {
      arm();
    }
  }

  /** A timer of the host may fire early, or in the middle of a long wait: then it is set again. */
  function onHostTimer(): void {
    try {
      fireUntil(now(), false);
    } catch {
      // Nobody waits for it here: who set the timer has told of it, and tries again.
    }
    arm();
  }

  function move(steps: () => void): void {
    const before = { mode, offsetMs, heldAtMs, movedMs };
    try {
      asWhole(() => {
        steps();
        keep({ mode, offsetMs, heldAtMs });
      });
    } catch (error) {
      ({ mode, offsetMs, heldAtMs, movedMs } = before);
      onTakenBack();
      arm();
      throw error;
    }
    arm();
    for (const listener of listeners) listener();
  }

  /** Goes to an instant at or after now, firing what lies between. */
  function passTo(instantMs: number): void {
    steppedToMs = now();
    try {
      fireUntil(instantMs, true);
    } finally {
      steppedToMs = null;
    }
  }

  function advanceBy(durationMs: number): void {
    move(() => {
      passTo(now() + durationMs);
      offsetMs += durationMs;
      movedMs += durationMs;
      if (mode === 'manual') heldAtMs += durationMs;
    });
  }

  return {
    get mode() {
      return mode;
    },
    get aheadMs() {
      return mode === 'real' ? offsetMs : heldAtMs - host.now();
    },
    now,
    monotonicMs: () => host.monotonicMs() + movedMs,
    setTimer(callback, delayMs) {
      const timer: Timer = { dueAtMs: now() + Math.max(0, delayMs), callback };
      const index = timers.findIndex((other) => other.dueAtMs > timer.dueAtMs);
      if (index === -1) timers.push(timer);
      else timers.splice(index, 0, timer);
      if (timers[0] === timer && steppedToMs === null) arm();
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: advanceBy,
    set(instantMs) {
      const durationMs = instantMs - now();
      if (durationMs < 0) return { kind: 'would_go_back' };
      advanceBy(durationMs);
      return { kind: 'moved' };
    },
    setMode(next) {
      move(() => {
        if (next === 'manual' && mode === 'real') heldAtMs = now();
        if (next === 'real' && mode === 'manual') {
          // It runs again at the host's pace, with what was advanced kept; never behind what was already shown.
          offsetMs = Math.max(offsetMs, heldAtMs - host.now());
          passTo(Math.max(heldAtMs, host.now() + offsetMs));
        }
        mode = next;
      });
    },
    reset(andThen = () => {}) {
      move(() => {
        mode = 'real';
        offsetMs = 0;
        heldAtMs = host.now();
        andThen();
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    catchUp,
    stop() {
      cancelHostTimer();
      timers = [];
    },
  };
}
