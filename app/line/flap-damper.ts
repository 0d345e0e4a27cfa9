/** Losses within this time count together. */
const memoryMs = 120_000;
/** From so many on the line is said to flap. */
const flappingFrom = 3;
/** At most so many times the first settling time. */
const longestSettle = 6;

/**
 * Remembers how often the line was lost lately. One that comes and goes is not trusted at once when it comes: a screen
 * that changes its mind every second tells a cashier nothing, and a backlog sent into it is cut again and again.
 */
export class FlapDamper {
  /** Monotonic instants. */
  #losses: readonly number[] = [];
  readonly #firstSettleMs: number;

  constructor(firstSettleMs: number) {
    this.#firstSettleMs = firstSettleMs;
  }

  lost(atMs: number): void {
    this.#losses = [...this.#recent(atMs), atMs];
  }

  /** @returns how long the line has to be good before it counts as good; 0 when it does not flap */
  settleMs(atMs: number): number {
    const count = this.#recent(atMs).length;
    return count < flappingFrom ? 0 : this.#firstSettleMs * Math.min(longestSettle, 2 ** (count - flappingFrom));
  }

  #recent(atMs: number): readonly number[] {
    return this.#losses.filter((lostAtMs) => atMs - lostAtMs < memoryMs);
  }
}
