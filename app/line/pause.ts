import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import { ClockJump } from '../machine/clock-jump.ts';

/** A time in which something is not done. It goes by monotonic time: whoever sets the wall clock makes it no longer. */
export class Pause {
  readonly #clock: Clock;
  #untilMs = Number.NEGATIVE_INFINITY;
  /** The end by the wall clock as it stood at the beginning, and by how much that was set since. */
  #told: { readonly untilMs: number; readonly jump: ClockJump } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many milliseconds are left; 0 when the pause is over. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonicMs());
  }

  /** For how many milliseconds the pause has been over; negative while it is not. */
  get overForMs(): number {
    return this.#clock.monotonicMs() - this.#untilMs;
  }

  /** When the pause ends, by the wall clock as it stands now; null when it is over. */
  get until(): string | null {
    if (this.#told === null || this.leftMs === 0) return null;
    const { untilMs, jump } = this.#told;
    // In whole seconds: two readings of a clock that was set differ by a little, and a changed end is told as news.
    return toInstant(untilMs + Math.round(jump.byMs / 1_000) * 1_000);
  }

  begin(durationMs: number): void {
    this.#untilMs = this.#clock.monotonicMs() + durationMs;
    this.#told = { untilMs: this.#clock.now() + durationMs, jump: new ClockJump(this.#clock) };
  }

  end(): void {
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }
}
