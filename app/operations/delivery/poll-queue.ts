import { minuteMs } from '../../../shared/lib/durations.ts';
import type { AcceptedOperation } from '../../store/rows/delivery.ts';

/** The service applies a sale within a second or two (spec "What the service does", 5). */
export const firstPollMs = 1_200;
/**
 * At each poll so many times as long has passed since the acceptance as at the poll before. The factor is below two: what the
 * service does after the first poll is known here before it has taken twice as long.
 */
const pollGrowth = 1.8;
const maxPollMs = minuteMs;

/** A row that is asked about, at a time that only the queue changes. */
export interface Polled {
  readonly row: AcceptedOperation;
  /** How often it was asked about without news. */
  readonly polls: number;
}

interface Waiting extends Polled {
  polls: number;
  dueAtMs: number;
}

/** One poll in so many asks about the newest row. */
const newestEvery = 4;

/**
 * Accepted rows in the order in which they are asked about. The row that has been due for longest comes first, so that none
 * waits for ever, however many there are. In between comes the newest row, which is the one on the screen. The queue's clock
 * is one that nobody sets.
 */
export class PollQueue {
  /** All rows in the queue, also those that are being asked about. */
  readonly #rows = new Map<number, Waiting>();
  readonly #waiting = new Set<Waiting>();
  /** Rows that are due already, the one that has been due for longest first. */
  #due: Waiting[] = [];
  #taken = 0;

  get size(): number {
    return this.#rows.size;
  }

  /**
   * Adds a row. One that is here already is added again only if it was sent again since.
   *
   * @param acceptedAtMs by the clock of the queue
   */
  add(row: AcceptedOperation, acceptedAtMs: number): void {
    if (this.#rows.get(row.rowId)?.row.send === row.send) return;
    const added = { row, dueAtMs: acceptedAtMs + firstPollMs, polls: 0 };
    this.#rows.set(row.rowId, added);
    this.#waiting.add(added);
  }

  /** Whether `take` may find a row. */
  get hasDue(): boolean {
    return this.#due.length > 0;
  }

  /** When the next row becomes due, by the clock of the queue; infinity when there is none. */
  nextAtMs(): number {
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const { dueAtMs } of this.#waiting) nextAtMs = Math.min(nextAtMs, dueAtMs);
    return nextAtMs;
  }

  /** Makes the rows that are due by now ready for `take`. */
  ripen(nowMs: number): void {
    const ripe = [...this.#waiting].filter(({ dueAtMs }) => dueAtMs <= nowMs);
    for (const waiting of ripe) this.#waiting.delete(waiting);
    // The last one is the newest row that nobody has asked about: `take` begins there now and then.
    this.#due.push(...ripe.sort((a, b) => b.polls - a.polls || a.row.rowId - b.row.rowId));
  }

  /** The next row to ask about. It stays in the queue until `remove` or `again`. */
  take(): Polled | null {
    for (;;) {
      const taken = this.#taken % newestEvery === 0 ? this.#due.pop() : this.#due.shift();
      if (taken === undefined) return null;
      if (!this.#isInQueue(taken)) continue;
      this.#taken += 1;
      return taken;
    }
  }

  /** The poll brought no news: the row is asked about again later. */
  again(polled: Polled, nowMs: number): void {
    const waiting = this.#rows.get(polled.row.rowId);
    if (waiting === undefined || waiting !== polled) return;
    waiting.polls += 1;
    waiting.dueAtMs = nowMs + pauseMs(waiting.polls);
    this.#waiting.add(waiting);
  }

  /** What became of the row is recorded: nobody asks about it any more. */
  remove(polled: Polled): void {
    if (this.#isInQueue(polled)) this.#rows.delete(polled.row.rowId);
  }

  #isInQueue(polled: Polled): boolean {
    return this.#rows.get(polled.row.rowId) === polled;
  }
}

/** From one poll without news to the next. */
function pauseMs(polls: number): number {
  return Math.round(Math.min(maxPollMs, firstPollMs * (pollGrowth - 1) * pollGrowth ** (polls - 1)));
}
