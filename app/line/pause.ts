import type { Clock } from '../../shared/lib/clock.ts';
import { MovedInstant } from './moved-instant.ts';

/** A time in which something is not done. It goes by monotonic time: whoever sets the wall clock makes it no longer. */
export class Pause {
  readonly #clock: Clock;
  #untilMs = Number.NEGATIVE_INFINITY;
  #end: MovedInstant | null = null;

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
    return this.leftMs === 0 ? null : (this.#end?.told ?? null);
  }

  begin(durationMs: number): void {
    this.#untilMs = this.#clock.monotonicMs() + durationMs;
    this.#end = new MovedInstant(this.#clock, durationMs);
  }

  end(): void {
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }
}
