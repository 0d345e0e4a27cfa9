/** Losses within this time count together. */
const memoryMs = 120_000;
/** With so many losses the line counts as flapping. */
const flappingFrom = 3;
/** The settling time grows to at most so many times the first one. */
const longestSettle = 6;

/**
 * Remembers how often the line was lost lately. A line that comes and goes is not trusted as soon as it comes: a screen
 * that changes every second tells a cashier nothing, and sending many sales would be cut off again and again.
 */
export class FlapDamper {
  /** By monotonic time. */
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
