import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { Cause } from '../../shared/till/views.ts';

/** How long the queue waits after many refusals alike, and at most. */
const refusalPauseMs = 60_000;
const longestRefusalPauseMs = 900_000;

type PauseCause = Extract<Cause, 'throttled' | 'refused'>;

/** Nothing is sent while it lasts, though the line is good: for Retry-After, or for refusals that are all alike. */
export class SendingPause {
  readonly #clock: Clock;
  /** By monotonic time: no change of the wall clock makes it longer. */
  #untilMs = Number.NEGATIVE_INFINITY;
  /** The same by the wall clock as it was then, to be told. */
  #until = '';
  #cause: PauseCause = 'throttled';
  /** How many for refusals alike followed one another. */
  #refusalPauses = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds; 0: it is over. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonicMs());
  }

  /** Null: it is over. */
  get until(): string | null {
    return this.leftMs === 0 ? null : this.#until;
  }

  /** Of the last one. */
  get cause(): PauseCause {
    return this.#cause;
  }

  /** The service has asked for it. */
  begin(durationMs: number): void {
    this.#begin(durationMs, 'throttled');
  }

  /** Many were refused alike: longer each time, until a write has passed. */
  beginForRefusals(): void {
    this.#refusalPauses += 1;
    this.#begin(Math.min(longestRefusalPauseMs, refusalPauseMs * 2 ** (this.#refusalPauses - 1)), 'refused');
  }

  forgetRefusals(): void {
    this.#refusalPauses = 0;
  }

  end(): void {
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  #begin(durationMs: number, cause: PauseCause): void {
    this.#untilMs = this.#clock.monotonicMs() + durationMs;
    this.#until = toInstant(this.#clock.now() + durationMs);
    this.#cause = cause;
  }
}
