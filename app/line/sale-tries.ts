import { fullJitterMs } from '../../shared/lib/backoff.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { Cause } from '../../shared/till/views.ts';
import { rowBackoff } from './causes.ts';

/** So old may the last answer be, while looks fail, to prove that the service is there. */
const longestProofMs = 120_000;

/**
 * A service may answer each look at the line with an error of its own and take sales all the same. A single sale finds
 * out, seldom: where sales are not taken either, each try leaves one more of which nobody knows whether it was recorded.
 */
export class SaleTries {
  readonly #clock: Clock;
  readonly #random: RandomSource;
  /** What is known of sales beside the line: only where the service itself has answered a look with an error. */
  #sales: 'as_the_line' | 'to_be_tried' | 'taken' = 'as_the_line';
  #isUnderWay = false;
  /** How many tries, or failures of sales, followed one another. */
  #streak = 0;
  /** By monotonic time. */
  #dueAtMs = Number.NEGATIVE_INFINITY;
  /** By monotonic time. */
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: RandomSource) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Whether one may go out now. */
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

  /** Whether sales were taken while looks at the line fail, and for a while no answer has proven that they still are. */
  get isProofOld(): boolean {
    return this.areTaken && this.#clock.monotonicMs() - this.#answeredAtMs >= longestProofMs;
  }

  /** The service has answered something: a sale, or what a person asked. */
  answered(): void {
    this.#answeredAtMs = this.#clock.monotonicMs();
  }

  begin(): void {
    this.#isUnderWay = true;
    this.#postpone();
  }

  /** Whatever became of it. */
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
   * The line was looked at. That too many looks are made says nothing of sales, but it is an answer.
   *
   * @param cause why it brought nothing; null: it did
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
