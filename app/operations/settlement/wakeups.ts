import type { Clock } from '../../../shared/lib/clock.ts';

/** Pauses that end by themselves, or all at once when something has changed. */
export class Wakeups {
  readonly #clock: Clock;
  readonly #ends = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancelTimer();
        this.#ends.delete(end);
        resolve();
      };
      const cancelTimer = this.#clock.setTimer(end, durationMs);
      this.#ends.add(end);
    });
  }

  wakeAll(): void {
    for (const end of this.#ends) end();
  }
}
