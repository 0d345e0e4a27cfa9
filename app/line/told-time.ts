import type { Clock } from '../../shared/lib/clock.ts';

/** What the service told is looked for again after so long: answers with a time may have come since. */
const readAgainAfterMs = 600_000;

/**
 * What time it has surely become, where nobody but this machine tells it: a time that the service has told before, and what
 * has passed since by the clock that nobody sets.
 */
export class ToldTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #lastToldMs: () => number | null;
  #readAtMs: number | null = null;
  /** The latest time that was told, less the monotonic time at which it was read. */
  #offsetMs = Number.NEGATIVE_INFINITY;

  /** @param lastToldMs the latest time of the service that is known here, milliseconds since 1970; null: none is */
  constructor(clock: Pick<Clock, 'monotonicMs'>, lastToldMs: () => number | null) {
    this.#clock = clock;
    this.#lastToldMs = lastToldMs;
  }

  /** Whole milliseconds since 1970; minus infinity while the service has told no time. */
  nowMs(): number {
    const nowMs = this.#clock.monotonicMs();
    if (this.#readAtMs === null || nowMs - this.#readAtMs >= readAgainAfterMs) {
      this.#readAtMs = nowMs;
      this.#offsetMs = Math.max(this.#offsetMs, (this.#lastToldMs() ?? Number.NEGATIVE_INFINITY) - nowMs);
    }
    return Math.floor(this.#offsetMs + nowMs);
  }
}
