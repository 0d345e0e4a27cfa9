import type { Clock } from '../../shared/lib/clock.ts';
import { minuteMs } from '../../shared/lib/durations.ts';
import type { Cause } from '../../shared/till/views.ts';
import { Pause } from './pause.ts';

/** How long the queue waits after many refusals for the same reason, the first time and at most. */
const refusalPauseMs = minuteMs;
const longestRefusalPauseMs = 900_000;

type PauseCause = Extract<Cause, 'throttled' | 'refused'>;

/** A pause in which nothing is sent though the line is good: for Retry-After, or after many refusals for the same reason. */
export class SendingPause {
  readonly #pause: Pause;
  #cause: PauseCause = 'throttled';
  /** How many pauses for refusals followed one another. */
  #refusalPauses = 0;

  constructor(clock: Clock) {
    this.#pause = new Pause(clock);
  }

  /** How many milliseconds are left; 0 when the pause is over. */
  get leftMs(): number {
    return this.#pause.leftMs;
  }

  /** When the pause ends, by the wall clock; null when it is over. */
  get until(): string | null {
    return this.#pause.until;
  }

  /** Why the last pause began. */
  get cause(): PauseCause {
    return this.#cause;
  }

  /** Begins a pause that the service has asked for with Retry-After. */
  begin(durationMs: number): void {
    this.#begin(durationMs, 'throttled');
  }

  /** Many rows were refused for the same reason. Each such pause is longer, until a write has passed. */
  beginForRefusals(): void {
    this.#refusalPauses += 1;
    this.#begin(Math.min(longestRefusalPauseMs, refusalPauseMs * 2 ** (this.#refusalPauses - 1)), 'refused');
  }

  forgetRefusals(): void {
    this.#refusalPauses = 0;
  }

  end(): void {
    this.#pause.end();
  }

  #begin(durationMs: number, cause: PauseCause): void {
    this.#pause.begin(durationMs);
    this.#cause = cause;
  }
}
