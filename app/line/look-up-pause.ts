import { fullJitterMs } from '../../shared/lib/backoff.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { causeRules } from './causes.ts';
import { Pause } from './pause.ts';

/**
 * How long the till makes no look-up that nobody waits for. The service has answered one with 429, or with an error of its
 * own while it takes sales. Sales are sent all the same.
 */
export class LookUpPause {
  readonly #pause: Pause;
  readonly #random: RandomSource;
  /** How many pauses followed one another. */
  #streak = 0;

  constructor(clock: Clock, random: RandomSource) {
    this.#pause = new Pause(clock);
    this.#random = random;
  }

  /** How many milliseconds are left; 0 when the pause is over. */
  get leftMs(): number {
    return this.#pause.leftMs;
  }

  /** When the pause ends, by the wall clock; null when it is over. */
  get until(): string | null {
    return this.#pause.until;
  }

  /** The service takes no look-up now. @param retryAfterMs what the service asked to wait; null: it did not say */
  begin(retryAfterMs: number | null): void {
    const isFollowing = this.#pause.overForMs < causeRules.throttled.pause.capMs;
    this.#streak = isFollowing ? this.#streak + 1 : 1;
    const pauseMs = fullJitterMs(causeRules.throttled.pause, this.#streak, this.#random.next());
    this.#pause.begin(Math.max(retryAfterMs ?? 0, pauseMs));
  }

  /** As `begin`, unless a pause is under way. */
  beginOnce(retryAfterMs: number | null): void {
    if (this.leftMs === 0) this.begin(retryAfterMs);
  }

  /** Ends the pause: the line has failed since, so that nobody knows what the service wants now, or a person asks. */
  end(): void {
    this.#pause.end();
  }
}
