/** Answers that come this soon are quick enough for more, whatever they took before. */
const quickMs = 50;
/** Answers that take this long are of a service in trouble. */
const slowMs = 1_000;
/** More at once made each answer take so much longer: the service works them off one after another. */
const greatestSlowdown = 2;
/** While sales are taken so many are enough, and one for each millisecond that an answer takes. */
export const leastInRush = 2;
/** How much the last answer weighs in how long they take now. */
const lastWeight = 1 / 8;

/**
 * How many calls may be on their way at once. It doubles with each round of answers that took not much longer than those of
 * the quickest round, and begins again when they do, or when one brings no answer: more at once would only queue at the
 * service.
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

  /** @param starting so many before the service has shown how fast it answers */
  constructor(most: number, starting: number) {
    this.#most = most;
    this.#starting = Math.min(starting, most);
    this.#current = this.#starting;
  }

  get current(): number {
    return this.#current;
  }

  /**
   * As many while sales are taken. A sale waits until all answers that have come are worked off: to a service that answers
   * at once a few calls under way send almost as much as many do, and hold a sale up for less.
   */
  get inRush(): number {
    if (this.#recentMs === null) return this.#current;
    return Math.min(this.#current, Math.max(leastInRush, Math.ceil(this.#recentMs)));
  }

  /** @param isFull whether as many were on their way as may be: else it says nothing about more */
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
