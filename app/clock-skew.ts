import type { Clock } from '../shared/lib/clock.ts';

/** HTTP dates are cut to the second: on average the service is half a second further. */
const dateCutMs = 500;
/** So many measurements make one figure; the median bears a slow answer among them. */
const sampleCount = 5;

/** How far the service's clock is ahead of ours, from the Date headers of its answers. */
export class ClockSkew {
  readonly #clock: Clock;
  #samples: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(serviceDateMs: number): void {
    this.#samples = [...this.#samples.slice(1 - sampleCount), serviceDateMs + dateCutMs - this.#clock.now()];
  }

  /** Milliseconds, null before any answer. */
  get skewMs(): number | null {
    const sorted = [...this.#samples].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }
}
