import type { Clock } from '../../shared/lib/clock.ts';
import { failuresBeforeLock, lockMsAfter } from './pin-lock.ts';

/** The wait at the fifth unknown badge. A right badge forgives no sooner: else one's own would open the next guesses. */
const forgivenAfterMs = lockMsAfter(failuresBeforeLock);

/**
 * How many unknown badges came in a row, and how long none is looked at. A known badge ends the row from a minute after
 * its last unknown one. The count is in memory: a restart takes longer than the guesses that it gives back.
 */
export class BadgeBrake {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #failures = 0;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #forgivenFromMs = Number.POSITIVE_INFINITY;
  #lockedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Until a badge is looked at; 0 or less: now. */
  get leftMs(): number {
    return this.#lockedUntilMs - this.#clock.monotonicMs();
  }

  known(): void {
    this.#forgivenFromMs = this.#failedAtMs + forgivenAfterMs;
  }

  /** @returns for how long no badge is looked at now, in milliseconds; 0: the next one is */
  unknown(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#failures = nowMs >= this.#forgivenFromMs ? 1 : this.#failures + 1;
    this.#failedAtMs = nowMs;
    this.#forgivenFromMs = Number.POSITIVE_INFINITY;
    const lockMs = lockMsAfter(this.#failures);
    this.#lockedUntilMs = nowMs + lockMs;
    return lockMs;
  }
}
