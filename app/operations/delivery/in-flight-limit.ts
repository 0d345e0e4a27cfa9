/** Answers that come within this time allow more calls at once, even if they came sooner before. */
const quickMs = 50;
/** A service whose answers take longer than this is in trouble. */
const slowMs = 1_000;
/** When answers take so many times longer with more calls at once, the service handles them one after another. */
const greatestSlowdown = 2;
/** While sales are taken, at least so many calls at once; and one for each millisecond that an answer takes. */
export const leastInRush = 2;
/** How much the last answer weighs in how long they take now. */
const lastWeight = 1 / 8;

/**
 * How many calls may be on their way at once. The number doubles after each round of answers that took about as long as
 * those of the quickest round. It goes back to its start when answers take much longer, or when a call brings no answer:
 * more calls at once would only queue at the service.
 */
export class InFlightLimit {
  readonly #most: number;
  readonly #starting: number;
  #current: number;
  #quickestMs = Number.POSITIVE_INFINITY;
  #roundMs = 0;
  #roundCount = 0;
  /** How long answers take now; null before the first. */
  #recentMs: number | null = null;

  /** @param starting how many calls at once before it is known how fast the service answers */
  constructor(most: number, starting: number) {
    this.#most = most;
    this.#starting = Math.min(starting, most);
    this.#current = this.#starting;
  }

  get current(): number {
    return this.#current;
  }

  /**
   * The same, while sales are taken. A sale waits until all answers that have come are handled. With a service that answers
   * quickly, a few calls at once deliver almost as much as many calls, and keep a sale waiting for less.
   */
  get inRush(): number {
    if (this.#recentMs === null) return this.#current;
    return Math.min(this.#current, Math.max(leastInRush, Math.ceil(this.#recentMs)));
  }

  /** @param isFull whether as many calls were on their way as may be; otherwise the time says nothing about more calls */
  answered({ tookMs, isFull }: { readonly tookMs: number; readonly isFull: boolean }): void {
    this.#recentMs = (1 - lastWeight) * (this.#recentMs ?? tookMs) + lastWeight * tookMs;
    if (!isFull) return;
    this.#roundMs += tookMs;
    this.#roundCount += 1;
    if (this.#roundCount < this.#current) return;
    const meanMs = this.#roundMs / this.#roundCount;
    this.#roundMs = 0;
    this.#roundCount = 0;
    this.#quickestMs = Math.min(this.#quickestMs, meanMs);
    const isSlower = meanMs > Math.max(quickMs, greatestSlowdown * this.#quickestMs);
    if (isSlower || meanMs > slowMs) this.#beginAnew();
    else this.#current = Math.min(this.#most, 2 * this.#current);
  }

  unanswered(): void {
    this.#beginAnew();
    this.#quickestMs = Number.POSITIVE_INFINITY;
  }

  #beginAnew(): void {
    this.#current = this.#starting;
    this.#roundMs = 0;
    this.#roundCount = 0;
  }
}
