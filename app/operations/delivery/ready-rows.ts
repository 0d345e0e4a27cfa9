import type { SendableOperation } from '../../store/rows/delivery.ts';

/** Rows that are marked and wait to be sent, oldest first, and one of each customer at a time. */
export class ReadyRows {
  #rows: SendableOperation[] = [];
  /** How many rows of each lane (customer) wait here. */
  readonly #readyOf = new Map<string, number>();
  readonly #underWay = new Set<string>();
  /** How many lanes have a row that could be sent now. While it is 0, the rows need not be searched. */
  #freeLanes = 0;

  get size(): number {
    return this.#rows.length;
  }

  get lanes(): readonly string[] {
    return this.#rows.map(({ lane }) => lane);
  }

  /** The oldest row, when no row may be sent now because each customer has one under way. */
  get blocked(): SendableOperation | undefined {
    return this.#freeLanes === 0 ? this.#rows[0] : undefined;
  }

  add(rows: readonly SendableOperation[]): void {
    for (const row of rows) {
      const ready = this.#readyOf.get(row.lane) ?? 0;
      if (ready === 0 && !this.#underWay.has(row.lane)) this.#freeLanes += 1;
      this.#readyOf.set(row.lane, ready + 1);
      this.#rows.push(row);
    }
  }

  /** Takes the oldest row whose customer has none under way. From now on this row is under way. */
  take(): SendableOperation | undefined {
    if (this.#freeLanes === 0) return undefined;
    const index = this.#rows.findIndex(({ lane }) => !this.#underWay.has(lane));
    // Mostly it is the first row, and shift() does not move the others.
    const row = index > 0 ? this.#rows.splice(index, 1)[0] : this.#rows.shift();
    if (row === undefined) return undefined;
    this.#underWay.add(row.lane);
    this.#freeLanes -= 1;
    const left = (this.#readyOf.get(row.lane) ?? 1) - 1;
    if (left > 0) this.#readyOf.set(row.lane, left);
    else this.#readyOf.delete(row.lane);
    return row;
  }

  /** The lane's row is no longer under way. */
  ended(lane: string): void {
    this.#underWay.delete(lane);
    if (this.#readyOf.has(lane)) this.#freeLanes += 1;
  }

  /** Takes all rows away: they are not sent after all. */
  takeAll(): readonly SendableOperation[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#readyOf.clear();
    this.#freeLanes = 0;
    return rows;
  }
}
