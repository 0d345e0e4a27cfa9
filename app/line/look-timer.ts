import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';

/** The timer of the next look at the line. There is only one: to set it replaces the one before. */
export class LookTimer {
  readonly #clock: Clock;
  #cancel: CancelTimer | null = null;
  #isIdle = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the timer runs for a look that is made only when no answer comes for a while. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  set(callback: () => void, delayMs: number, { isIdle = false } = {}): void {
    this.#cancel?.();
    this.#isIdle = isIdle;
    this.#cancel = this.#clock.setTimer(() => {
      this.#isIdle = false;
      callback();
    }, delayMs);
  }

  cancel(): void {
    this.#cancel?.();
  }
}
