import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../../shared/lib/durations.ts';
import { type OperationState, waitingStates } from '../../../shared/machines/operation.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { hourStatements } from '../statements/hours.ts';
import { lastStatements } from '../statements/last.ts';

/** What happened in one hour, and how many waited when it ended. */
interface HourCounts {
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

type TakenValues = RowOf<typeof hourStatements.taken>;
const nothing: TakenValues = { amountMinor: 0, points: 0, stamps: 0, visits: 0, rewards: 0 };

const hourCount = 24;
/** A sale that was taken longer before than this is hardly settled today. */
const lookBackMs = 8 * dayMs;
/** One look reads the events of at most so many rows, about 50 ms: no sale is held up by a chart. */
const rowsPerLook = 30_000;
/** As many sales as a busy till takes in an hour. */
const rowsPerStep = 500;

/** The last day hour by hour, from the history of the operations. */
export class HourCounter {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...hourStatements, ...lastStatements });
  }

  /** @param waitingNow how many wait at `nowMs` */
  read(nowMs: number, waitingNow: number): HourlyCounts {
    const startMs = (Math.floor(nowMs / hourMs) - (hourCount - 1)) * hourMs;
    const lastRowId = this.#statements.last.get()?.rowId ?? 0;
    const wantedFrom = this.#rowIdSince(nowMs - lookBackMs, lastRowId);
    const fromRowId = Math.max(wantedFrom, lastRowId - rowsPerLook + 1);
    const hours = Array.from({ length: hourCount }, () => ({ taken: 0, delivered: 0, stuck: 0, entered: 0 }));
    for (const { hour, fromState, toState, count } of this.#statements.changes.all({ fromRowId, startMs, hourMs })) {
      // A clock that was set back leaves events of the future: they belong to now.
      const counts = hours[Math.min(hour, hourCount - 1)];
      if (counts === undefined) continue;
      if (fromState === null) counts.taken += count;
      if (toState === 'applied') counts.delivered += count;
      if (toState === 'refused' || toState === 'failed') counts.stuck += count;
      counts.entered += (isWaiting(toState) ? count : 0) - (isWaiting(fromState) ? count : 0);
    }
    let waiting = waitingNow;
    const counted: HourCounts[] = [];
    for (const [index, { entered, ...counts }] of [...hours.entries()].toReversed()) {
      counted.unshift({ fromMs: startMs + index * hourMs, ...counts, waiting: Math.max(0, waiting) });
      waiting -= entered;
    }
    return { hours: counted, isPartial: fromRowId > wantedFrom };
  }

  /** What was asked for in the hour before, unit by unit. */
  takenInHourBefore(untilMs: number): TakenValues {
    return this.#statements.taken.get({ fromRowId: this.#firstOfHourBefore(untilMs) }) ?? nothing;
  }

  /**
   * The order of saving tells which rows these are, and their times only how much time lies between two: where a clock
   * was set back it is none, so that neither is the hour given back nor a whole day counted that was dated ahead.
   */
  #firstOfHourBefore(untilMs: number): number {
    let first = { rowId: Number.MAX_SAFE_INTEGER, savedAtMs: untilMs };
    let passedMs = 0;
    for (;;) {
      const rows = this.#statements.savedBefore.all({ rowId: first.rowId, limit: rowsPerStep });
      for (const row of rows) {
        passedMs += Math.max(0, first.savedAtMs - row.savedAtMs);
        if (passedMs > hourMs) return first.rowId;
        first = row;
      }
      if (rows.length < rowsPerStep) return first.rowId;
    }
  }

  /** Rows are numbered in the order of saving: the first of a time is found by halving, not by looking at all. */
  #rowIdSince(atMs: number, lastRowId: number): number {
    let low = 1;
    let high = lastRowId + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = this.#statements.firstFrom.get({ rowId: middle });
      if (found === null || found.savedAtMs >= atMs) high = middle;
      else low = found.rowId + 1;
    }
    return low;
  }
}

function isWaiting(state: OperationState | null): boolean {
  return waitingStates.some((waiting) => waiting === state);
}
