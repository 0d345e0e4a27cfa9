import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type OperationState, openStates } from '../../../shared/machines/operation.ts';
import { type CashierDay, cashierDaySchema, type DayLine, dayLineSchema } from '../../../shared/till/day-line.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { toOperation } from '../rows/rows.ts';
import type { Operation } from '../schema/operation.ts';
import { carryStatements, dayStatements, openCountStatements } from '../statements/days.ts';
import { lastStatements } from '../statements/last.ts';

/**
 * Operations of a day that are alike. Of a reversal `takesBack` is the intent of its original, where that is ours; the
 * values are the original's then.
 */
export type DayTally = RowOf<typeof dayStatements.tally>;

/** A day as it was closed. */
export interface DayClose {
  readonly businessDate: string;
  readonly closedAtMs: number;
  readonly closedBy: string;
  /** The operation that was saved last by then; null when there was none. */
  readonly lastOperationId: string | null;
  readonly lines: readonly DayLine[];
  readonly openCount: number;
  /** Null: closed by a program that did not count them. */
  readonly cashiers: readonly CashierDay[] | null;
}

/** One operation that a closing carried over. */
export interface CarriedOperation {
  readonly was: OperationState;
  readonly now: Operation;
}

/** So many rows are looked at in one go: a few milliseconds, so that no sale waits for it. */
const sliceRows = 10_000;

/**
 * Business days in SQLite. No index leads to the operations of a day: it would cost each sale a page of the log for a
 * look that a till takes once a day. Which slices of the table hold which days is remembered instead, once looked at.
 */
export class DayStore {
  readonly #statements;
  readonly #openCount;
  readonly #carry;
  /** Of slices that are full: no row is added to them any more. */
  readonly #daysOfSlice = new Map<number, Set<string>>();

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...dayStatements, ...lastStatements });
    this.#openCount = prepareAll(database, openCountStatements);
    this.#carry = prepareAll(database, carryStatements);
  }

  /** Looks at one more full slice. @returns false when all of them are known */
  learn(): boolean {
    const fullSlices = Math.floor(this.lastRowId / sliceRows);
    for (let slice = 0; slice < fullSlices; slice += 1) {
      if (this.#daysOfSlice.has(slice)) continue;
      const days = this.#statements.daysIn.all(boundsOf(slice)).map(({ day }) => day);
      this.#daysOfSlice.set(slice, new Set(days));
      return true;
    }
    return false;
  }

  /**
   * The operations of a day, counted by what they are.
   *
   * @param afterRowId of the closing: only what came later
   */
  tally(businessDate: string, afterRowId = 0): readonly DayTally[] {
    const found: DayTally[] = this.#statements.tallyLate.all({ day: businessDate, lastRowId: afterRowId });
    const lastSlice = Math.floor(this.lastRowId / sliceRows);
    for (let slice = Math.floor((afterRowId + 1) / sliceRows); slice <= lastSlice; slice += 1) {
      if (this.#daysOfSlice.get(slice)?.has(businessDate) === false) continue;
      const { from, to } = boundsOf(slice);
      found.push(...this.#statements.tally.all({ day: businessDate, from: Math.max(from, afterRowId + 1), to }));
    }
    return found;
  }

  /**
   * An operation took place on another day than was thought. It keeps its day where one of the two was closed after it was
   * saved: by the figures of the closings, which stay, it would be counted twice or nowhere. Inside a transaction of the
   * Writer.
   */
  move(rowId: number, businessDate: string): void {
    this.#statements.move.run({ rowId, businessDate });
    this.#noteDay(rowId, businessDate);
  }

  /**
   * Another request has taken a row's place, with a day of its own. Where that day was closed before, the request is among
   * what came later. Inside a transaction of the Writer.
   */
  replace(rowId: number, businessDate: string): void {
    this.#statements.noteLate.run({ rowId });
    this.#noteDay(rowId, businessDate);
  }

  /** An operation that is not new may be of this day now. */
  #noteDay(rowId: number, businessDate: string): void {
    this.#daysOfSlice.get(Math.floor(rowId / sliceRows))?.add(businessDate);
  }

  get lastRowId(): number {
    return this.#statements.last.get()?.rowId ?? 0;
  }

  get lastOperationId(): string | null {
    return this.#statements.last.get()?.operationId ?? null;
  }

  /** 0 for none, and for one that is not in this database. */
  rowIdOf(operationId: string | null): number {
    return operationId === null ? 0 : (this.#statements.rowIdOf.get({ operationId })?.rowId ?? 0);
  }

  /** How many are open, by state. @param through of this day and the days before; null: of all days */
  openCounts(through: string | null): ReadonlyMap<OperationState, number> {
    return new Map(openStates.map((state) => [state, this.#openCount[state].get({ through })?.count ?? 0] as const));
  }

  closeOf(businessDate: string): DayClose | null {
    const row = this.#statements.closeOf.get({ businessDate });
    return row === null ? null : toClose(row);
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
    this.#statements.insert.run(close);
    for (const state of openStates) this.#carry[state].run({ businessDate: close.businessDate, through });
  }

  /** What a closing carried over, by what it is now. */
  carriedStates(businessDate: string): ReadonlyMap<OperationState, number> {
    return new Map(this.#statements.carriedStates.all({ businessDate }).map(({ state, count }) => [state, count]));
  }

  /** Oldest first. */
  carried(businessDate: string, limit: number): readonly CarriedOperation[] {
    return this.#statements.carried
      .all({ businessDate, limit })
      .map(({ was, ...row }) => ({ was, now: toOperation(row) }));
  }
}

function boundsOf(slice: number): { readonly from: number; readonly to: number } {
  return { from: slice * sliceRows, to: (slice + 1) * sliceRows };
}

function toClose(row: RowOf<typeof dayStatements.closeOf>): DayClose {
  return {
    ...row,
    lines: z.array(dayLineSchema).parse(row.lines),
    cashiers: row.cashiers === null ? null : z.array(cashierDaySchema).parse(row.cashiers),
  };
}
