import { fullJitterMs } from '../../shared/lib/backoff.ts';
import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { causeRules } from './causes.ts';

/**
 * How long the till makes no look-up that nobody waits for. The service has answered one with 429, or with an error of its
 * own while it takes sales. Sales are sent all the same.
 */
export class LookUpPause {
  readonly #clock: Clock;
  readonly #random: RandomSource;
  /** By monotonic time: no change of the wall clock makes it longer. */
  #untilMs = Number.NEGATIVE_INFINITY;
  /** The same by the wall clock of that time, for the screen. */
  #until = '';
  /** How many pauses followed one another. */
  #streak = 0;

  constructor(clock: Clock, random: RandomSource) {
    this.#clock = clock;
    this.#random = random;
  }

  /** How many milliseconds are left; 0 when the pause is over. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonicMs());
  }

  /** When the pause ends, by the wall clock; null when it is over. */
  get until(): string | null {
    return this.leftMs === 0 ? null : this.#until;
  }

  /** The service takes no look-up now. @param retryAfterMs what the service asked to wait; null: it did not say */
  begin(retryAfterMs: number | null): void {
    const isFollowing = this.#clock.monotonicMs() - this.#untilMs < causeRules.throttled.pause.capMs;
    this.#streak = isFollowing ? this.#streak + 1 : 1;
    const pauseMs = fullJitterMs(causeRules.throttled.pause, this.#streak, this.#random.next());
    const leftMs = Math.max(retryAfterMs ?? 0, pauseMs);
    this.#untilMs = this.#clock.monotonicMs() + leftMs;
    this.#until = toInstant(this.#clock.now() + leftMs);
  }

  /** The same, unless a pause is under way. */
  beginOnce(retryAfterMs: number | null): void {
    if (this.leftMs === 0) this.begin(retryAfterMs);
  }

  /** Ends the pause: the line has failed since, so that nobody knows what the service wants now, or a person asks. */
  end(): void {
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }
}
