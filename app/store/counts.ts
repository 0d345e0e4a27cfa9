import type { Database } from 'better-sqlite3';
import { type OperationState, operationStates } from '../../shared/machines/operation.ts';
import { prepareAll } from '../sql/prepare.ts';
import { countStatements } from './statements/counts.ts';
import { lastStatements } from './statements/last.ts';
import { metaStatements } from './statements/meta.ts';
import type { CommitCompanion } from './writer.ts';

type Counts = Readonly<Record<OperationState, number>>;

interface Counted {
  readonly counts: Counts;
  /** As they stand in the table. */
  readonly written: Counts;
  /** The row up to which the table tells. */
  readonly through: number;
  readonly lastRowId: number;
  /** Rows behind `through`. */
  readonly behind: number;
}

/** A start counts about so many rows one by one, which takes less than a millisecond. */
const mostBehind = 128;

/**
 * How many operations are in each state, as of the last commit. The table tells of the rows up to `counted_through`; those
 * behind it are counted by looking at them. So a commit that changes no row up to there writes no counter: that is a
 * sale when it is saved, and mostly all that becomes of it while the line is open.
 */
export class StateCounts implements CommitCompanion {
  readonly #statements;
  readonly #changes = new Map<OperationState, number>();
  #savedCount = 0;
  #lastSaved = 0;
  #mustWrite = false;
  /** As of the last commit. */
  #committed: Counted;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...countStatements, ...lastStatements, put: metaStatements.put });
    this.#committed = this.#fromDatabase();
  }

  /** A row is new. Inside a transaction of the Writer. */
  saved(rowId: number, state: OperationState): void {
    this.#add(state, 1);
    this.#savedCount += 1;
    this.#lastSaved = Math.max(this.#lastSaved, rowId);
    this.#touched(rowId);
  }

  /**
   * Rows went from one state to another. Inside a transaction of the Writer.
   *
   * @param rows.first none of them has a smaller number
   */
  moved(
    rows: { readonly first: number; readonly count: number },
    states: { readonly from: OperationState; readonly to: OperationState },
  ): void {
    if (rows.count === 0) return;
    this.#add(states.from, -rows.count);
    this.#add(states.to, rows.count);
    this.#touched(rows.first);
  }

  /** Whether there are rows of which the table does not tell. */
  get areBehind(): boolean {
    return this.#committed.behind > 0;
  }

  /** Has the table tell of all rows from this commit on. Inside a transaction of the Writer. */
  writeAll(): void {
    this.#mustWrite = true;
  }

  /** Inside a transaction of the Writer: with what it has changed so far. */
  inTransaction(state: OperationState): number {
    return this.#committed.counts[state] + (this.#changes.get(state) ?? 0);
  }

  /** The database went on in another file. */
  readAgain(): void {
    this.#committed = this.#fromDatabase();
  }

  /** As of the last commit. */
  read(): Counts {
    return this.#committed.counts;
  }

  beforeCommit(): void {
    this.#mustWrite ||= this.#committed.behind + this.#savedCount > mostBehind;
    if (!this.#mustWrite) return;
    const { written, through, lastRowId } = this.#committed;
    for (const state of operationStates) {
      const count = this.inTransaction(state);
      if (count !== written[state]) this.#statements.set.run({ state, count });
    }
    const last = Math.max(lastRowId, this.#lastSaved);
    if (last > through) this.#statements.put.run({ key: 'counted_through', value: String(last) });
  }

  afterCommit(): void {
    if (this.#changes.size > 0 || this.#mustWrite) this.#committed = this.#afterThis();
    this.#begin();
  }

  afterRollback(): void {
    this.#begin();
    // A commit that failed may have reached the disk after all.
    this.#committed = this.#fromDatabase();
  }

  #begin(): void {
    this.#changes.clear();
    this.#savedCount = 0;
    this.#lastSaved = 0;
    this.#mustWrite = false;
  }

  #add(state: OperationState, by: number): void {
    this.#changes.set(state, (this.#changes.get(state) ?? 0) + by);
  }

  #touched(rowId: number): void {
    if (rowId <= this.#committed.through) this.#mustWrite = true;
  }

  #afterThis(): Counted {
    const before = this.#committed;
    const counts = { ...before.counts };
    for (const [state, by] of this.#changes) counts[state] += by;
    const lastRowId = Math.max(before.lastRowId, this.#lastSaved);
    return this.#mustWrite
      ? { counts, written: counts, through: lastRowId, lastRowId, behind: 0 }
      : { ...before, counts, lastRowId, behind: before.behind + this.#savedCount };
  }

  #fromDatabase(): Counted {
    const none = Object.fromEntries(operationStates.map((state) => [state, 0])) as Record<OperationState, number>;
    const [counts, written] = [{ ...none }, { ...none }];
    let behindCount = 0;
    for (const { state, count, behind } of this.#statements.list.all()) {
      written[state] = count;
      counts[state] = count + behind;
      behindCount += behind;
    }
    const lastRowId = this.#statements.last.get()?.rowId ?? 0;
    return {
      counts,
      written,
      through: this.#statements.countedThrough.get()?.rowId ?? lastRowId,
      lastRowId,
      behind: behindCount,
    };
  }
}

/** How many operations are in a state, and how many of them were counted by looking at their rows. */
export interface StateCount {
  readonly state: OperationState;
  readonly count: number;
  readonly behind: number;
}

/** How many operations are in each state, in a database of any version that another agent may have open. */
export function countsIn(database: Database): readonly StateCount[] {
  const { list } = prepareAll(database, { list: countStatements.list });
  return list.all().map(({ state, count, behind }) => ({ state, count: count + behind, behind }));
}

/** How many operations there are, counted one by one. */
export function countOperations(database: Database): number {
  return prepareAll(database, { total: countStatements.total }).total.get()?.count ?? 0;
}
