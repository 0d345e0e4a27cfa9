import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import { ClockJump } from '../machine/clock-jump.ts';

/** An instant by the wall clock: whoever sets that moves it along. */
export class MovedInstant {
  readonly #atMs: number;
  readonly #jump: ClockJump;

  /** @param afterMs from now */
  constructor(clock: Clock, afterMs = 0) {
    this.#atMs = clock.now() + afterMs;
    this.#jump = new ClockJump(clock);
  }

  /** As the wall clock stands now. */
  get told(): string {
    // In whole seconds: two readings of a clock that was set differ by a little, and a changed instant is told as news.
    return toInstant(this.#atMs + Math.round(this.#jump.byMs / 1_000) * 1_000);
  }
}
