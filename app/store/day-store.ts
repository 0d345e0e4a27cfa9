import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type OperationState, openStates } from '../../shared/machines/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { DayUnit } from '../../shared/till/day-names.ts';
import { type DayLine, dayLineSchema } from '../../shared/till/day-views.ts';
import type { Delivery, Operation } from '../operations/operation.ts';
import { type OperationRow, operationColumns, toOperation } from './rows.ts';

/** Operations of a day that are alike. */
export interface DayTally {
  readonly intent: OperationIntent;
  /** Of a reversal: the intent of its original, where that is ours; the values are the original's then. */
  readonly takesBack: OperationIntent | null;
  readonly unit: DayUnit;
  readonly currency: string | null;
  readonly state: OperationState;
  readonly delivery: Delivery;
  readonly count: number;
  readonly total: number;
}

/** A day as it was closed. */
export interface DayClose {
  readonly businessDate: string;
  readonly closedAtMs: number;
  readonly closedBy: string;
  /** The operation that was saved last by then; null when there was none. */
  readonly lastOperationId: string | null;
  readonly lines: readonly DayLine[];
  readonly openCount: number;
}

/** One operation that a closing carried over. */
export interface CarriedOperation {
  readonly was: OperationState;
  readonly now: Operation;
}

/** So many rows are looked at in one go: a few milliseconds, so that no sale waits for it. */
const sliceRows = 10_000;

interface CloseRow {
  readonly business_date: string;
  readonly closed_at: number;
  readonly closed_by: string;
  readonly last_operation_id: string | null;
  readonly lines: string;
  readonly open_count: number;
}

/**
 * Business days in SQLite. No index leads to the operations of a day: it would cost each sale a page of the log for a
 * look that a till takes once a day. Which slices of the table hold which days is remembered instead, once looked at.
 */
export class DayStore {
  readonly #statements;
  /** Of slices that are full: no row of theirs is added or changes its day any more. */
  readonly #daysOfSlice = new Map<number, ReadonlySet<string>>();

  constructor(database: Database) {
    this.#statements = prepareStatements(database);
  }

  /** Looks at one more full slice. @returns false when all of them are known */
  learn(): boolean {
    const fullSlices = Math.floor(this.lastRowId / sliceRows);
    for (let slice = 0; slice < fullSlices; slice += 1) {
      if (this.#daysOfSlice.has(slice)) continue;
      const days = this.#statements.daysIn.all(...boundsOf(slice)).map(({ day }) => day);
      this.#daysOfSlice.set(slice, new Set(days));
      return true;
    }
    return false;
  }

  /** The operations of a day, counted by what they are. @param afterRowId only those that were saved later */
  tally(businessDate: string, afterRowId = 0): readonly DayTally[] {
    const found: DayTally[] = [];
    const lastSlice = Math.floor(this.lastRowId / sliceRows);
    for (let slice = Math.floor((afterRowId + 1) / sliceRows); slice <= lastSlice; slice += 1) {
      if (this.#daysOfSlice.get(slice)?.has(businessDate) === false) continue;
      const [from, to] = boundsOf(slice);
      found.push(...this.#statements.tally.all({ day: businessDate, from: Math.max(from, afterRowId + 1), to }));
    }
    return found;
  }

  get lastRowId(): number {
    return this.#statements.last.get()?.rowId ?? 0;
  }

  get lastOperationId(): string | null {
    return this.#statements.last.get()?.operationId ?? null;
  }

  /** 0 for none, and for one that is not in this database. */
  rowIdOf(operationId: string | null): number {
    return operationId === null ? 0 : (this.#statements.rowIdOf.get(operationId)?.rowId ?? 0);
  }

  /** How many are open, by state. @param through of this day and the days before; null: of all days */
  openCounts(through: string | null): ReadonlyMap<OperationState, number> {
    return new Map(
      openStates.map((state) => [state, this.#statements.open[state].get({ through })?.count ?? 0] as const),
    );
  }

  closeOf(businessDate: string): DayClose | null {
    const row = this.#statements.closeOf.get(businessDate);
    return row === undefined ? null : toClose(row);
  }

  /** The closed day before this one. */
  closeBefore(businessDate: string): DayClose | null {
    return this.closes({ limit: 1, before: businessDate })[0] ?? null;
  }

  /** Newest first. */
  closes({ limit, before }: { readonly limit: number; readonly before: string | null }): readonly DayClose[] {
    return this.#statements.closes.all({ before, limit }).map(toClose);
  }

  /** Inside a transaction of the Writer: the day, and everything that is open (see `openCounts`) with it. */
  insert(close: DayClose, through: string | null): void {
    this.#statements.insert.run(
      close.businessDate,
      close.closedAtMs,
      close.closedBy,
      close.lastOperationId,
      JSON.stringify(close.lines),
      close.openCount,
    );
    for (const state of openStates) this.#statements.carry[state].run({ day: close.businessDate, through });
  }

  /** What a closing carried over, by what it is now. */
  carriedStates(businessDate: string): ReadonlyMap<OperationState, number> {
    return new Map(this.#statements.carriedStates.all(businessDate).map(({ state, count }) => [state, count]));
  }

  /** Oldest first. */
  carried(businessDate: string, limit: number): readonly CarriedOperation[] {
    return this.#statements.carried.all(businessDate, limit).map(({ was, ...row }) => ({ was, now: toOperation(row) }));
  }
}

function boundsOf(slice: number): [from: number, to: number] {
  return [slice * sliceRows, (slice + 1) * sliceRows];
}

function toClose(row: CloseRow): DayClose {
  return {
    businessDate: row.business_date,
    closedAtMs: row.closed_at,
    closedBy: row.closed_by,
    lastOperationId: row.last_operation_id,
    lines: z.array(dayLineSchema).parse(JSON.parse(row.lines)),
    openCount: row.open_count,
  };
}

// An amount beside points, stamps or visits is only recorded: those are what was earned.
const unit = (
  row: string,
) => `CASE WHEN ${row}.points IS NOT NULL THEN 'points' WHEN ${row}.stamps IS NOT NULL THEN 'stamps'
  WHEN ${row}.visits IS NOT NULL THEN 'visits' WHEN ${row}.amount_minor IS NOT NULL THEN 'money' ELSE 'none' END`;

function prepareStatements(database: Database) {
  const ofEachState = <Statement>(prepare: (state: OperationState) => Statement) =>
    Object.fromEntries(openStates.map((state) => [state, prepare(state)])) as Record<
      (typeof openStates)[number],
      Statement
    >;
  return {
    daysIn: database.prepare<[number, number], { day: string }>(
      'SELECT DISTINCT business_date AS day FROM operations WHERE row_id >= ? AND row_id < ?',
    ),
    tally: database.prepare<[{ day: string; from: number; to: number }], DayTally>(
      `SELECT intent, takesBack, unit, iif(unit = 'money', currency, NULL) AS currency, state, delivery,
         count(*) AS count, coalesce(sum(coalesce(points, stamps, visits, amount_minor)), 0) AS total
       FROM (
         SELECT this.intent, this.state, this.delivery, original.intent AS takesBack,
           ${unit('valued')} AS unit, valued.currency, valued.points, valued.stamps, valued.visits, valued.amount_minor
         FROM operations AS this
         LEFT JOIN operations AS original ON original.row_id = this.reverses_row_id
         JOIN operations AS valued ON valued.row_id = coalesce(original.row_id, this.row_id)
         WHERE this.row_id >= :from AND this.row_id < :to AND this.business_date = :day)
       GROUP BY 1, 2, 3, 4, 5, 6`,
    ),
    last: database.prepare<[], { rowId: number; operationId: string }>(
      'SELECT row_id AS rowId, operation_id AS operationId FROM operations ORDER BY row_id DESC LIMIT 1',
    ),
    rowIdOf: database.prepare<[string], { rowId: number }>(
      'SELECT row_id AS rowId FROM operations WHERE operation_id = ?',
    ),
    open: ofEachState((state) =>
      database.prepare<[{ through: string | null }], { count: number }>(
        `SELECT count(*) AS count FROM operations
         WHERE state = '${state}' AND (:through IS NULL OR business_date <= :through)`,
      ),
    ),
    carry: ofEachState((state) =>
      database.prepare<[{ day: string; through: string | null }]>(
        `INSERT INTO day_close_carried (business_date, operation_id, state)
         SELECT :day, operation_id, state FROM operations
         WHERE state = '${state}' AND (:through IS NULL OR business_date <= :through)`,
      ),
    ),
    closeOf: database.prepare<[string], CloseRow>('SELECT * FROM day_closes WHERE business_date = ?'),
    closes: database.prepare<[{ before: string | null; limit: number }], CloseRow>(
      `SELECT * FROM day_closes WHERE :before IS NULL OR business_date < :before
       ORDER BY business_date DESC LIMIT :limit`,
    ),
    insert: database.prepare<[string, number, string, string | null, string, number]>(
      `INSERT INTO day_closes (business_date, closed_at, closed_by, last_operation_id, lines, open_count)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    carriedStates: database.prepare<[string], { state: OperationState; count: number }>(
      `SELECT operations.state, count(*) AS count FROM day_close_carried AS carried
       JOIN operations ON operations.operation_id = carried.operation_id
       WHERE carried.business_date = ? GROUP BY operations.state`,
    ),
    carried: database.prepare<[string, number], OperationRow & { was: OperationState }>(
      `SELECT carried.state AS was, ${operationColumns
        .split(',')
        .map((name) => `operations.${name.trim()}`)
        .join(', ')}
       FROM day_close_carried AS carried JOIN operations ON operations.operation_id = carried.operation_id
       WHERE carried.business_date = ? ORDER BY operations.row_id LIMIT ?`,
    ),
  };
}
