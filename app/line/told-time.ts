import type { Clock } from '../../shared/lib/clock.ts';

/** The database is read again after so long: answers with a later time may have been saved since. */
const readAgainAfterMs = 600_000;

/**
 * The time that it surely is by now, without asking the service: the latest time that the service told before, and the time
 * that has passed since by the monotonic clock, which nobody can set.
 */
export class ToldTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #lastToldMs: () => number | null;
  #readAtMs: number | null = null;
  /** The latest time that was told, minus the monotonic time at which it was read. */
  #offsetMs = Number.NEGATIVE_INFINITY;

  /** @param lastToldMs the latest time of the service that the database has, in milliseconds since 1970; null: it has none */
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
