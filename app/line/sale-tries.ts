import { fullJitterMs } from '../../shared/lib/backoff.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Cause } from '../../shared/till/views.ts';
import { rowBackoff } from './causes.ts';

/** While looks fail, an answer of the service proves for so long that the service is there. */
const longestProofMs = 120_000;

/**
 * A service may answer each look at the line with an error of its own, and take sales all the same. A single sale tries
 * that, with long pauses: where the service takes no sales either, after each try nobody knows whether that sale was
 * recorded.
 */
export class SaleTries {
  readonly #clock: Clock;
  readonly #random: RandomSource;
  /** Whether sales pass though looks fail. Other than `as_the_line` only after the service has answered a look with an error. */
  #sales: 'as_the_line' | 'to_be_tried' | 'taken' = 'as_the_line';
  #isUnderWay = false;
  /** How many tries, or failures of sales, followed one another. */
  #streak = 0;
  /** When the next try may be made, by monotonic time. */
  #dueAtMs = Number.NEGATIVE_INFINITY;
  /** When the service last answered something, by monotonic time. */
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: RandomSource) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Whether a sale may try now. */
  get isDue(): boolean {
    return this.#sales === 'to_be_tried' && this.#clock.monotonicMs() >= this.#dueAtMs;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Whether sales are taken while looks at the line fail. */
  get areTaken(): boolean {
    return this.#sales === 'taken';
  }

  /** Whether sales were taken while looks fail, and no answer has proven for a while that they still are. */
  get isProofOld(): boolean {
    return this.areTaken && this.#clock.monotonicMs() - this.#answeredAtMs >= longestProofMs;
  }

  /** The service has answered a sale, or a question of a person. */
  answered(): void {
    this.#answeredAtMs = this.#clock.monotonicMs();
  }

  begin(): void {
    this.#isUnderWay = true;
    this.#postpone();
  }

  /** The try has ended, with any outcome. */
  end(): void {
    this.#isUnderWay = false;
  }

  /** A person wants to know: the next try need not wait. */
  hurry(): void {
    this.#streak = 0;
    this.#dueAtMs = Number.NEGATIVE_INFINITY;
  }

  /** @returns whether it is news that sales are taken */
  passed(): boolean {
    this.answered();
    const isNews = this.#sales === 'to_be_tried';
    if (isNews) this.#sales = 'taken';
    this.hurry();
    return isNews;
  }

  /** A sale brought no answer. The next one is tried after a look, and later than the one before. */
  failed(cause: Cause): void {
    if (!this.#isUnderWay && cause === 'service') this.#postpone();
    this.#sales = 'as_the_line';
  }

  /**
   * The line was looked at. An answer that too many looks are made (`throttled`) says nothing about sales, but it proves
   * that the service is there.
   *
   * @param cause why the look failed; null when it passed
   */
  looked(cause: Cause | null): void {
    if (cause === 'throttled') {
      this.answered();
      return;
    }
    if (cause !== 'service') this.#sales = 'as_the_line';
    else if (!this.areTaken) this.#sales = 'to_be_tried';
    if (cause === null) this.hurry();
  }

  #postpone(): void {
    this.#streak += 1;
    const pauseMs = fullJitterMs(rowBackoff, this.#streak, 0.5 + this.#random.next() / 2);
    this.#dueAtMs = this.#clock.monotonicMs() + pauseMs;
  }
}
