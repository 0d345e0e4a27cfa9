import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';

interface Timer {
  readonly dueAtMs: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. Timers fire during the move, in order, each seeing its own instant. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #wallMs: number;
  /** No whole number, as on every machine. */
  #monotonicMs = 0.25;

  constructor(startsAt: number | string = '2026-11-20T18:13:00.000Z') {
    this.#wallMs = typeof startsAt === 'number' ? startsAt : Date.parse(startsAt);
  }

  now(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  setTimer(callback: () => void, delayMs: number): CancelTimer {
    // Whole milliseconds and never too early, as the system's timers.
    const timer: Timer = { dueAtMs: this.#monotonicMs + Math.ceil(Math.max(0, delayMs)), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers wait. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer fires; null when none waits. */
  get msToNextTimer(): number | null {
    const next = this.#next();
    return next === null ? null : Math.max(0, next.dueAtMs - this.#monotonicMs);
  }

  /** Whether a timer fires in just so long. */
  hasTimerIn(delayMs: number): boolean {
    return [...this.#timers].some(({ dueAtMs }) => dueAtMs - this.#monotonicMs === delayMs);
  }

  /** Lets time pass, firing what becomes due, also what is set while it passes. */
  advance(durationMs: number): void {
    const endMs = this.#monotonicMs + durationMs;
    for (let next = this.#next(); next !== null && next.dueAtMs <= endMs; next = this.#next()) {
      this.#moveTo(next.dueAtMs);
      this.#timers.delete(next);
      next.callback();
    }
    this.#moveTo(endMs);
  }

  /** Somebody sets the wall clock, forward or back: no time passes. */
  jump(byMs: number): void {
    this.#wallMs += byMs;
  }

  #next(): Timer | null {
    let earliest: Timer | null = null;
    for (const timer of this.#timers) if (earliest === null || timer.dueAtMs < earliest.dueAtMs) earliest = timer;
    return earliest;
  }

  #moveTo(monotonicMs: number): void {
    const byMs = Math.max(0, monotonicMs - this.#monotonicMs);
    this.#monotonicMs += byMs;
    this.#wallMs += byMs;
  }
}
