import type { Clock } from '../../../shared/lib/clock.ts';

/** Somebody who sets a clock forward moves it by more. */
const leastStepMs = 1_000;

/**
 * Finds out that the wall clock has gone ahead of the time that has passed: somebody has set it forward, or a tester who holds
 * it still has stepped it.
 */
export class ClockSteps {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  #wallMs: number;
  #monotonicMs: number;
  #isHeld = false;

  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
    this.#clock = clock;
    this.#wallMs = clock.now();
    this.#monotonicMs = clock.monotonicMs();
  }

  /** Whether it has since the last time that this was asked, which is some milliseconds ago at least. */
  hasStepped(): boolean {
    const wallMs = this.#clock.now();
    const monotonicMs = this.#clock.monotonicMs();
    const movedMs = wallMs - this.#wallMs;
    const isAhead = movedMs - (monotonicMs - this.#monotonicMs) >= leastStepMs;
    const wasHeld = this.#isHeld;
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    this.#isHeld = movedMs === 0;
    return isAhead || (wasHeld && movedMs > 0);
  }
}
