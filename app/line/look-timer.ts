import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';

/** When the line is looked at next. There is one such time: a new one takes the place of the old one. */
export class LookTimer {
  readonly #clock: Clock;
  #cancel: CancelTimer | null = null;
  #isIdle = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it runs and waits for a silence. */
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
