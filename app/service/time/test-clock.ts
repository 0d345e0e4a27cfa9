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
export type ClockState = z.output<typeof clockStateSchema>;

export type ClockMove = { readonly kind: 'moved' } | { readonly kind: 'would_go_back' };

/**
 * The service's own time. It runs with the host's clock, ahead of it by what a tester has advanced, or stands still
 * until it is moved. A timer whose time has come fires by itself, or during the move, in order, each seeing its own
 * instant as now.
 */
export interface TestClock extends Clock {
  readonly mode: ClockMode;
  advance(durationMs: number): void;
  /** Moves to an instant; a clock never goes back. */
  set(instantMs: number): ClockMove;
  setMode(mode: ClockMode): void;
  /** Back to real time: the one move that may go back. */
  reset(): void;
  readonly state: ClockState;
  /** Takes back a move that was kept in a transaction of the store that came to nothing. */
  restore(state: ClockState): void;
  /** Called after each of the moves above. */
  onChange(listener: () => void): () => void;
  /** Fires what has become due by now: timers of the host may be late. */
  catchUp(): void;
  /** Lets go of the host's timer. */
  stop(): void;
}

interface Timer {
  readonly dueAtMs: number;
  readonly callback: () => void;
}

export interface TestClockOptions {
  readonly host: Clock;
  /** What was kept by an earlier run; null for a clock that was never touched. */
  readonly initial: ClockState | null;
  /** Keeps the state over a restart. */
  readonly keep: (state: ClockState) => void;
}

export function createTestClock({ host, initial, keep }: TestClockOptions): TestClock {
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
    fireUntil(now(), false);
    arm();
  }

  /** A timer of the host may fire early, or in the middle of a long wait: then it is set again. */
  function onHostTimer(): void {
    fireUntil(now(), false);
    arm();
  }

  /** Goes to an instant at or after now, firing what lies between. */
  function moveTo(instantMs: number, settle: () => void): void {
    steppedToMs = now();
    try {
      fireUntil(instantMs, true);
    } finally {
      steppedToMs = null;
      settle();
      finish();
    }
  }

  function finish(): void {
    keep({ mode, offsetMs, heldAtMs });
    show();
  }

  function show(): void {
    arm();
    for (const listener of listeners) listener();
  }

  function shift(durationMs: number): void {
    offsetMs += durationMs;
    movedMs += durationMs;
    if (mode === 'manual') heldAtMs += durationMs;
  }

  return {
    get mode() {
      return mode;
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
    advance: (durationMs) => moveTo(now() + durationMs, () => shift(durationMs)),
    set(instantMs) {
      const durationMs = instantMs - now();
      if (durationMs < 0) return { kind: 'would_go_back' };
      moveTo(instantMs, () => shift(durationMs));
      return { kind: 'moved' };
    },
    setMode(next) {
      if (next === mode) return finish();
      if (next === 'manual') {
        heldAtMs = now();
        mode = next;
        return finish();
      }
      // It runs again at the host's pace, with what was advanced kept; never behind what was already shown.
      offsetMs = Math.max(offsetMs, heldAtMs - host.now());
      moveTo(Math.max(heldAtMs, host.now() + offsetMs), () => {
        mode = next;
      });
    },
    reset() {
      mode = 'real';
      offsetMs = 0;
      heldAtMs = host.now();
      finish();
    },
    get state() {
      return { mode, offsetMs, heldAtMs };
    },
    restore(state) {
      ({ mode, offsetMs, heldAtMs } = state);
      show();
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
