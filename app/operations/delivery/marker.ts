import type { Clock } from '../../../shared/lib/clock.ts';
import { rowBackoff } from '../../line/causes.ts';
import type { Gate } from '../../line/connectivity.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { SendableOperation } from '../../store/rows/delivery.ts';
import type { ImmediateStore } from '../../store/tables/immediate-store.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import { heldLookMs } from '../settlement/settlement.ts';
import type { ClockCorrection } from './clock-correction.ts';
import { isOfAnotherKey } from './courier.ts';
import type { Suspects } from './suspects.ts';
import { openWindow } from './window.ts';

export interface MarkerOptions {
  readonly store: OperationStore;
  readonly immediate: Pick<ImmediateStore, 'postpone'>;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly keyFingerprint: string;
  /** Has the last word on a row's time before it is sent for the first time. */
  readonly correction: Pick<ClockCorrection, 'apply'>;
  /** Knows which row that came back without an answer tries the line next. */
  readonly suspects: Pick<Suspects, 'inTurn' | 'hasFailed'>;
}

interface MarkRequest {
  readonly room: number;
  /** The lanes of rows that stand ready already. */
  readonly taken: readonly string[];
  /**
   * Not open: a single row tries the line, one that was never sent, so that an old one that is the trouble blocks nothing.
   * Closed: it tries while look-ups fail, so what could only be looked up stays.
   */
  readonly gate: Gate;
  /** What is marked goes out at once: nobody could cancel it in between, however much it is. */
  readonly isQuick: boolean;
  /** Others may stand far behind: looks on for them, also where rows are found before. */
  readonly looksFar: boolean;
}

type Rows = readonly SendableOperation[];

/** The queue is read by pages. */
const lookAhead = 256;
/** Among so many behind the first ones rows of others are looked for when those of busy customers stand in front. */
const mostAhead = 4_096;
/** The shortest page: as many rows as a window takes where few customers have all that waits. */
const shortPage = 64;

/** Chooses what is sent next and marks it as being sent, one commit for a whole window of rows. */
export class Marker {
  readonly #options: MarkerOptions;
  /** Found changed on the disk: they wait for a person. */
  readonly #changed = new Set<number>();

  constructor(options: MarkerOptions) {
    this.#options = options;
  }

  /** Whether a row could be marked. Asks without a transaction: an idle agent writes nothing. */
  hasWaiting(gate: Gate): boolean {
    return this.#options.store.hasQueued() || this.#dueUnknown(gate, gate === 'closed' ? lookAhead : 1).length > 0;
  }

  /** It is not marked again until a person has released it. */
  holdChanged(rowId: number): void {
    this.#changed.add(rowId);
  }

  /** Marks a window, of what is saved in the same commit, too. Resolves with its rows when the marks are on the disk. */
  mark(request: MarkRequest): Promise<Rows> {
    return this.#options.writer.urgentLast(() => this.#mark(request));
  }

  /** Chosen and marked in the same transaction: what was cancelled meanwhile is not among them. */
  #mark(request: MarkRequest): Rows {
    const { store, clock, keyFingerprint, correction } = this.#options;
    const rows = correction.apply(this.#choose(request));
    store.mark(
      rows.map(({ rowId }) => rowId),
      { atMs: clock.now(), keyFingerprint },
    );
    return rows;
  }

  #choose({ room, taken, gate, looksFar, isQuick }: MarkRequest): Rows {
    const { store, suspects } = this.#options;
    const window = openWindow(room, taken);
    const due = this.#dueUnknown(gate, lookAhead);
    const unknown = this.#changed.size === 0 ? due : due.filter((row) => !this.#staysHeld(row));
    if (gate === 'open') window.add(unknown);
    // The oldest may be refused for a reason of its own each time, such as a limit of its card's: others try, too.
    if (gate !== 'open' && suspects.hasFailed) window.add(suspects.inTurn(firstOfLanes(store.queued(null, lookAhead))));
    const mostPages = 1 + Math.ceil(room / lookAhead);
    let last: SendableOperation | null = null;
    let isEnd = false;
    for (let pages = 0; pages < mostPages && !window.isFull && !isEnd; pages += 1) {
      // Of one customer's rows no more are read than can be taken: to read one costs more than to mark it.
      const wanted = isQuick ? Math.max(shortPage, window.roomForSameCustomers) : lookAhead;
      const pageSize = Math.min(lookAhead, wanted, pages === 0 ? room : lookAhead);
      const page: Rows = store.queued(last, pageSize);
      const hasNew = window.add(page);
      last = page.at(-1) ?? last;
      isEnd = page.length < pageSize;
      if (isQuick && (!hasNew || window.roomForSameCustomers === 0)) break;
    }
    // Rows of busy customers stand in front: looks behind them. While sales are taken, only where nothing else was found.
    const mayLookFar = looksFar || (!isQuick && window.rows.length === 0);
    // Those of whom one look has taken enough are left out of the next one, so no two of them can hide the others.
    while (mayLookFar && !window.isFull && !isEnd) {
      const limit = room - window.rows.length;
      const page = store.queuedOfOthers(last, { lanes: window.fullLanes, among: mostAhead, limit });
      window.add(page);
      last = page.at(-1) ?? last;
      isEnd = page.length < limit;
    }
    if (gate !== 'open') window.add(suspects.inTurn(unknown));
    if (isQuick) window.fillUp();
    return window.rows;
  }

  #dueUnknown(gate: Gate, limit: number): Rows {
    const { store, clock, keyFingerprint } = this.#options;
    const due = store.dueUnknown(clock.now(), rowBackoff.capMs, limit);
    return gate === 'closed' ? due.filter((row) => !isOfAnotherKey(row, keyFingerprint)) : due;
  }

  /** Inside the transaction of a mark. */
  #staysHeld(row: SendableOperation): boolean {
    const { store, immediate, clock } = this.#options;
    if (!this.#changed.has(row.rowId)) return false;
    if (store.seals.isWhole(row)) {
      this.#changed.delete(row.rowId);
      return false;
    }
    immediate.postpone(row.rowId, clock.now() + heldLookMs);
    return true;
  }
}

/** Those behind them of the same customers have to wait for them. */
function firstOfLanes(rows: Rows): Rows {
  const lanes = new Set<string>();
  return rows.filter(({ lane }) => {
    const isFirst = !lanes.has(lane);
    lanes.add(lane);
    return isFirst;
  });
}
