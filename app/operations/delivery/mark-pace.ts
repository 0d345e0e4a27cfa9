/** After so many rows of few customers, rows of other customers are looked for behind them again. */
const rowsBetweenFarLooks = 1_024;

/** How many rows there are to choose from, and how many are marked. */
interface MarkMoment {
  /** Rows that are marked and not under way. */
  readonly ready: number;
  readonly queued: number;
  readonly unknown: number;
  readonly windowSize: number;
}

/**
 * Decides when the next rows are marked: when half of a window has been sent. Where few customers have all rows that wait,
 * a window cannot be filled. Then rows are marked when half of those in it have been sent, or when other rows have come:
 * to mark after each row would cost a commit for each.
 */
export class MarkPace {
  /** After the last mark: how many rows were marked, and how many it had left waiting. */
  #ready = 0;
  #queued = 0;
  #foundSome = false;
  #sinceFarLook = Number.POSITIVE_INFINITY;

  /** Whether it is time to look for other customers' rows far behind those of few customers. */
  get looksFar(): boolean {
    return this.#sinceFarLook >= rowsBetweenFarLooks;
  }

  /**
   * @param marked.found rows of this mark
   * @param marked.lookedFar whether it has looked behind the rows of few customers
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
