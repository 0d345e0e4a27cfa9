import type { Clock } from '../../../shared/lib/clock.ts';

/** Finds out that a wall clock which stood still goes on: a tester who held it has stepped it, or let it go. */
export class HeldClock {
  readonly #clock: Pick<Clock, 'now'>;
  #lastMs: number;
  #isHeld = false;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#lastMs = clock.now();
  }

  /** Whether it has gone on since the last time that this was asked, which is some milliseconds ago at least. */
  hasMoved(): boolean {
    const nowMs = this.#clock.now();
    const wasHeld = this.#isHeld;
    this.#isHeld = nowMs === this.#lastMs;
    this.#lastMs = nowMs;
    return wasHeld && !this.#isHeld;
  }
}
