import type { WriterSchedule } from '../../../app/store/database/writer.ts';
import type { CancelTimer, Clock } from '../../../shared/lib/clock.ts';
import type { Scheduler } from './scheduler.ts';

/** From the start of a program to its end: what it had planned does not happen once it was killed. */
export class Life {
  isOver = false;
}

/** The clock of one run of a program: its own wall time, and timers that end with it. */
export class MachineClock implements Clock {
  /** How far this machine's wall time is off. */
  offsetMs: number;
  readonly #scheduler: Scheduler;
  readonly #life: Life;
  readonly #bootMs: number;

  constructor(scheduler: Scheduler, life: Life, offsetMs = 0) {
    this.#scheduler = scheduler;
    this.#life = life;
    this.#bootMs = scheduler.nowMs;
    this.offsetMs = offsetMs;
  }

  now(): number {
    return this.#scheduler.nowMs + this.offsetMs;
  }

  monotonicMs(): number {
    return this.#scheduler.nowMs - this.#bootMs;
  }

  setTimer(callback: () => void, delayMs: number): CancelTimer {
    return this.#scheduler.after(delayMs, whileAlive(this.#life, callback));
  }
}

/** When a program commits what it has gathered, in virtual time. */
export function machineSchedule(scheduler: Scheduler, life: Life): WriterSchedule {
  return {
    soon: (callback) => {
      scheduler.after(0, whileAlive(life, callback));
    },
    later: (callback, delayMs) => scheduler.after(delayMs, whileAlive(life, callback)),
  };
}

function whileAlive(life: Life, callback: () => void): () => void {
  return () => {
    if (!life.isOver) callback();
  };
}
