import type { Clock } from '../../../shared/lib/clock.ts';

const rushMs = 1_000;

/**
 * Whether sales are being taken right now. Meanwhile the delivery writes in small commits, because a new sale has to wait
 * for the commit that is under way.
 */
export class TillRush {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #lastSaleAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  get isOn(): boolean {
    return this.#clock.monotonicMs() - this.#lastSaleAtMs < rushMs;
  }

  saleTaken(): void {
    this.#lastSaleAtMs = this.#clock.monotonicMs();
  }
}
