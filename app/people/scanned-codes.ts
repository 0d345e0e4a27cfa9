import type { Clock } from '../../shared/lib/clock.ts';
import { minuteMs } from '../../shared/lib/durations.ts';

/** More cards than a queue of customers brings in a minute: somebody tries badges out. */
const mostUnknownInWindow = 30;
const windowMs = minuteMs;

/** How many codes were scanned on the sale screen that are nobody's badge. Too many: none is looked at for a while. */
export class ScannedCodes {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #unknownAtMs: readonly number[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  mayLook(): boolean {
    const sinceMs = this.#clock.monotonicMs() - windowMs;
    this.#unknownAtMs = this.#unknownAtMs.filter((atMs) => atMs > sinceMs);
    return this.#unknownAtMs.length < mostUnknownInWindow;
  }

  unknown(): void {
    this.#unknownAtMs = [...this.#unknownAtMs, this.#clock.monotonicMs()];
  }
}
