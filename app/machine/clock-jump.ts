import type { Clock } from '../../shared/lib/clock.ts';

/** Somebody who sets a clock moves it by more; by less the clocks drift apart, and that is followed once it adds up to so much. */
const leastJumpMs = 1_000;

/** Finds out by how much somebody has set the wall clock, for what waits until a time of that clock and is to be moved along. */
export class ClockJump {
  readonly #clock: Clock;
  /** What the wall clock is ahead of the one that nobody sets, as far as it was followed. */
  #wallAheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wallAheadMs = clock.now() - clock.monotonicMs();
  }

  /** By how many whole milliseconds the wall clock was set, of what nobody has followed yet; 0: it was not. */
  get byMs(): number {
    const byMs = Math.round(this.#clock.now() - this.#clock.monotonicMs() - this.#wallAheadMs);
    return Math.abs(byMs) < leastJumpMs ? 0 : byMs;
  }

  /** @param byMs what was moved along with the clock; the opposite takes that back */
  followed(byMs: number): void {
    this.#wallAheadMs += byMs;
  }
}
