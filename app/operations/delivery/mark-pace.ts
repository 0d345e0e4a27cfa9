/** So many rows are sent until it is worth another look for rows of others behind those of few customers. */
const rowsBetweenFarLooks = 1_024;

/** What there is to choose from, and what stands ready. */
interface MarkMoment {
  /** Rows that are marked and not under way. */
  readonly ready: number;
  readonly queued: number;
  readonly unknown: number;
  readonly windowSize: number;
}

/**
 * When the next rows are marked: when half of a window is used up. Where few customers have all that waits a window
 * cannot be filled: then when half of what it held is used up, or when something else has come, and not after each row.
 */
export class MarkPace {
  /** What the last mark has left: rows that stood ready, and rows that it did not choose. */
  #ready = 0;
  #queued = 0;
  #foundSome = false;
  #sinceFarLook = Number.POSITIVE_INFINITY;

  /** Whether others may stand far behind those who have all that was found so far. */
  get looksFar(): boolean {
    return this.#sinceFarLook >= rowsBetweenFarLooks;
  }

  /**
   * @param marked.found rows of this mark
   * @param marked.lookedFar whether it has looked behind those of few customers; a short look that found nothing has not
   */
  marked({
    found,
    ready,
    queued,
    lookedFar,
  }: { readonly found: number; readonly lookedFar: boolean } & Pick<MarkMoment, 'ready' | 'queued'>): void {
    this.#ready = ready;
    this.#queued = queued;
    this.#foundSome = found > 0;
    this.#sinceFarLook = lookedFar ? 0 : this.#sinceFarLook + found;
  }

  isDue({ ready, queued, unknown, windowSize }: MarkMoment): boolean {
    const hasCome = queued > this.#queued || unknown > 0;
    this.#queued = Math.min(queued, this.#queued);
    if (ready > windowSize / 2) return false;
    return hasCome || (this.#foundSome && this.looksFar) || ready <= this.#ready / 2;
  }
}
