import type { Database } from 'better-sqlite3';
import { type OperationState, waitingStates } from '../../shared/machines/operation.ts';

/** What happened in one hour, and how many waited when it ended. */
export interface HourCounts {
  readonly fromMs: number;
  readonly taken: number;
  readonly delivered: number;
  /** Refused or failed. */
  readonly stuck: number;
  readonly waiting: number;
}

export interface HourlyCounts {
  /** Oldest first; the last hour is still running. */
  readonly hours: readonly HourCounts[];
  /** There were more rows than are looked through: what happened to older ones is missing. */
  readonly isPartial: boolean;
}

const hourMs = 3_600_000;
const hourCount = 24;
/** A sale that was taken longer before than this is hardly settled today. */
const lookBackMs = 8 * 24 * hourMs;
/** One look reads the events of at most so many rows, about 50 ms: no sale is held up by a chart. */
const rowsPerLook = 30_000;

interface Change {
  readonly hour: number;
  readonly fromState: OperationState | null;
  readonly toState: OperationState;
  readonly count: number;
}

/** The last day hour by hour, from the history of the operations. */
export class HourCounter {
  readonly #firstSince;
  readonly #last;
  readonly #changes;

  constructor(database: Database) {
    this.#last = database.prepare<[], { last: number | null }>('SELECT max(row_id) AS last FROM operations');
    // Rows are numbered in the order of saving: the first of a time is found by halving, not by looking at all.
    this.#firstSince = database.prepare<[number], { rowId: number; savedAtMs: number }>(
      'SELECT row_id AS rowId, saved_at AS savedAtMs FROM operations WHERE row_id >= ? ORDER BY row_id LIMIT 1',
    );
    this.#changes = database.prepare<[{ from: number; start: number; hour: number }], Change>(
      // A number of JavaScript's is bound as one with a fraction.
      `SELECT CAST((at - :start) / :hour AS INTEGER) AS hour, from_state AS fromState, to_state AS toState, count(*) AS count
       FROM operation_events WHERE row_id >= :from AND at >= :start GROUP BY 1, 2, 3`,
    );
  }

  /** @param waitingNow how many wait at `nowMs` */
  read(nowMs: number, waitingNow: number): HourlyCounts {
    const startMs = (Math.floor(nowMs / hourMs) - (hourCount - 1)) * hourMs;
    const lastRowId = this.#last.get()?.last ?? 0;
    const wantedFrom = this.#rowIdSince(nowMs - lookBackMs, lastRowId);
    const from = Math.max(wantedFrom, lastRowId - rowsPerLook + 1);
    const hours = Array.from({ length: hourCount }, () => ({ taken: 0, delivered: 0, stuck: 0, entered: 0 }));
    for (const { hour, fromState, toState, count } of this.#changes.all({ from, start: startMs, hour: hourMs })) {
      // A clock that was set back leaves events of the future: they belong to now.
      const counts = hours[Math.min(hour, hourCount - 1)];
      if (counts === undefined) continue;
      if (fromState === null) counts.taken += count;
      if (toState === 'applied') counts.delivered += count;
      if (toState === 'refused' || toState === 'failed') counts.stuck += count;
      counts.entered += (isWaiting(toState) ? count : 0) - (isWaiting(fromState) ? count : 0);
    }
    let waiting = waitingNow;
    const told: HourCounts[] = [];
    for (const [index, { entered, ...counts }] of [...hours.entries()].toReversed()) {
      told.unshift({ fromMs: startMs + index * hourMs, ...counts, waiting: Math.max(0, waiting) });
      waiting -= entered;
    }
    return { hours: told, isPartial: from > wantedFrom };
  }

  #rowIdSince(atMs: number, lastRowId: number): number {
    let low = 1;
    let high = lastRowId + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = this.#firstSince.get(middle);
      if (found === undefined || found.savedAtMs >= atMs) high = middle;
      else low = found.rowId + 1;
    }
    return low;
  }
}

function isWaiting(state: OperationState | null): boolean {
  return waitingStates.some((waiting) => waiting === state);
}
