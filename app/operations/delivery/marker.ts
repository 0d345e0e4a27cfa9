import type { Clock } from '../../../shared/lib/clock.ts';
import { rowBackoff } from '../../line/causes.ts';
import type { Gate } from '../../line/connectivity.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { RowStore } from '../../store/tables/row-store.ts';
import { withheldLookMs } from '../settlement/settlement.ts';
import type { ClockCorrection } from './clock-correction.ts';
import { isOfAnotherKey } from './courier.ts';
import type { Suspects } from './suspects.ts';
import { openWindow } from './window.ts';

export interface MarkerOptions {
  readonly operations: OperationStore;
  readonly rows: Pick<RowStore, 'postpone'>;
  readonly writer: Writer;
  readonly clock: Clock;
  /** The clock by which waits are reckoned (`evenClock`). */
  readonly waits: Pick<Clock, 'now'>;
  readonly keyFingerprint: string;
  /** Corrects a row's time before the row is sent for the first time. */
  readonly correction: Pick<ClockCorrection, 'apply'>;
  /** Chooses, among the rows that came back without an answer, the one that is sent next as a trial of the line. */
  readonly suspects: Pick<Suspects, 'inTurn' | 'hasFailed'>;
}

interface MarkRequest {
  readonly room: number;
  /** The lanes of rows that were marked before and are not sent yet. */
  readonly taken: readonly string[];
  /**
   * `open`: any number of rows. Otherwise one row is sent as a trial of the line. It is a row that was never sent, so
   * that an old row which causes the failures blocks nothing. `closed`: look-ups fail, too, so rows that can only be
   * looked up are left out.
   */
  readonly gate: Gate;
  /** The line is quick: rows are sent as soon as they are marked, so nobody could cancel one in between. */
  readonly isQuick: boolean;
  /** Other customers may have rows far behind: looks for those, too, even when rows were found in front. */
  readonly looksFar: boolean;
}

type Rows = readonly SendableOperation[];

/** The queue is read in pages of at most so many rows. */
const lookAhead = 256;
/** When busy customers' rows are in front, so many rows behind them are searched for other customers' rows. */
const mostAhead = 4_096;
/** The shortest page: as many rows as a window takes when few customers have all rows that wait. */
const shortPage = 64;

/** Chooses what is sent next and marks it as being sent, one commit for a whole window of rows. */
export class Marker {
  readonly #options: MarkerOptions;
  /** Ids of rows that somebody has changed on the disk: they wait for a person's decision. */
  readonly #changed = new Set<number>();

  constructor(options: MarkerOptions) {
    this.#options = options;
  }

  /** Whether a row could be marked. Asks without a transaction: an idle agent writes nothing. */
  hasWaiting(gate: Gate): boolean {
    return this.#options.operations.hasQueued() || this.#dueUnknown(gate, gate === 'closed' ? lookAhead : 1).length > 0;
  }

  /** Keeps a changed row from being marked again until a person has released it. */
  withholdChanged(rowId: number): void {
    this.#changed.add(rowId);
  }

  /**
   * Marks a window of rows, also of those that are saved in the same commit.
   *
   * @returns the rows, when the marks are on the disk
   */
  mark(request: MarkRequest): Promise<Rows> {
    return this.#options.writer.urgentLast(() => this.#mark(request));
  }

  /** Chooses and marks in one transaction, so that a row that was cancelled meanwhile is not among them. */
  #mark(request: MarkRequest): Rows {
    const { operations, clock, keyFingerprint, correction } = this.#options;
    const rows = correction.apply(this.#choose(request));
    operations.mark(
      rows.map(({ rowId }) => rowId),
      { atMs: clock.now(), keyFingerprint },
    );
    return rows;
  }

  #choose({ room, taken, gate, looksFar, isQuick }: MarkRequest): Rows {
    const { operations, suspects } = this.#options;
    const window = openWindow(room, taken);
    const due = this.#dueUnknown(gate, lookAhead);
    const unknown = this.#changed.size === 0 ? due : due.filter((row) => !this.#staysWithheld(row));
    if (gate === 'open') window.add(unknown);
    // The oldest row may fail each time for a reason of its own, such as a limit of its card: others try, too.
    if (gate !== 'open' && suspects.hasFailed)
      window.add(suspects.inTurn(firstOfLanes(operations.queued(null, lookAhead))));
    const mostPages = 1 + Math.ceil(room / lookAhead);
    let last: SendableOperation | null = null;
    let isEnd = false;
    for (let pages = 0; pages < mostPages && !window.isFull && !isEnd; pages += 1) {
      // Reads no more rows of one customer than the window can take: reading a row costs more than marking it.
      const wanted = isQuick ? Math.max(shortPage, window.roomForSameCustomers) : lookAhead;
      const pageSize = Math.min(lookAhead, wanted, pages === 0 ? room : lookAhead);
      const page: Rows = operations.queued(last, pageSize);
      const hasNew = window.add(page);
      last = page.at(-1) ?? last;
      isEnd = page.length < pageSize;
      if (isQuick && (!hasNew || window.roomForSameCustomers === 0)) break;
    }
    // Rows of busy customers are in front: looks behind them if that is asked for, on a slow line also if nothing was found.
    const mayLookFar = looksFar || (!isQuick && window.rows.length === 0);
    // Each look leaves out the lanes that are full by then, so that two busy customers cannot hide all others.
    while (mayLookFar && !window.isFull && !isEnd) {
      const limit = room - window.rows.length;
      const page = operations.queuedOfOthers(last, { lanes: window.fullLanes, among: mostAhead, limit });
      window.add(page);
      last = page.at(-1) ?? last;
      isEnd = page.length < limit;
    }
    if (gate !== 'open') window.add(suspects.inTurn(unknown));
    if (isQuick) window.fillUp();
    return window.rows;
  }

  #dueUnknown(gate: Gate, limit: number): Rows {
    const { operations, waits, keyFingerprint } = this.#options;
    const due = operations.dueUnknown(waits.now(), rowBackoff.capMs, limit);
    return gate === 'closed' ? due.filter((row) => !isOfAnotherKey(row, keyFingerprint)) : due;
  }

  /** Inside the transaction of a mark. */
  #staysWithheld(row: SendableOperation): boolean {
    const { operations, rows, waits } = this.#options;
    if (!this.#changed.has(row.rowId)) return false;
    if (operations.seals.isSealIntact(row)) {
      this.#changed.delete(row.rowId);
      return false;
    }
    rows.postpone(row.rowId, waits.now() + withheldLookMs);
    return true;
  }
}

/** The first row of each customer: the customer's later rows wait until it is sent. */
function firstOfLanes(rows: Rows): Rows {
  const lanes = new Set<string>();
  return rows.filter(({ lane }) => {
    const isFirst = !lanes.has(lane);
    lanes.add(lane);
    return isFirst;
  });
}
