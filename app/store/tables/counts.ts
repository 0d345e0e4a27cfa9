import type { Database } from 'better-sqlite3';
import { type OperationState, openStates, operationStates, waitingStates } from '../../../shared/machines/operation.ts';
import { prepareAll } from '../../sql/prepare.ts';
import { isDamage } from '../database/open.ts';
import type { CommitCompanion } from '../database/writer.ts';
import { countStatements, openCountStatements } from '../statements/counts.ts';
import { lastStatements } from '../statements/last.ts';
import { metaStatements } from '../statements/meta.ts';

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
  /** The table was found wrong: the next commit writes it. */
  readonly isTableWrong: boolean;
}

/** A start counts about so many rows one by one, which takes less than a millisecond. */
const mostBehind = 128;

/** What the table tells of an open state is compared with the rows up to so many at each start: in some microseconds. */
const mostCompared = 1_000;

/**
 * How many operations are in each state, as of the last commit. The table tells of the rows up to `counted_through`; those
 * behind it are counted by looking at them. So a commit that changes no row up to there writes no counter: that is a
 * sale when it is saved, and mostly all that becomes of it while the line is open.
 *
 * Somebody may have changed the table, or the rows and not the table. Where that shows all rows are counted again; what is
 * delivered is never decided by these counts.
 */
export class StateCounts implements CommitCompanion {
  readonly #statements;
  readonly #openCounts;
  readonly #changes = new Map<OperationState, number>();
  #savedCount = 0;
  #lastSaved = 0;
  #mustWrite = false;
  /** Counted by hand for the commit under way. */
  #byHand: Counts | null = null;
  /** As of the last commit. */
  #committed: Counted;

  constructor(database: Database) {
    this.#statements = prepareAll(database, { ...countStatements, ...lastStatements, put: metaStatements.put });
    this.#openCounts = prepareAll(database, openCountStatements);
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
    return this.#committed.behind > 0 || this.#committed.isTableWrong;
  }

  /** Has the table tell of all rows from this commit on. Inside a transaction of the Writer. */
  writeAll(): void {
    this.#mustWrite = true;
  }

  /** Inside a transaction of the Writer: with what it has changed so far. */
  inTransaction(state: OperationState): number {
    return this.#byHand?.[state] ?? this.#committed.counts[state] + (this.#changes.get(state) ?? 0);
  }

  /** Whether so many rows are in an open state: the rows themselves have the last word. Inside a transaction of the Writer. */
  areAtLeast(count: number, state: (typeof openStates)[number]): boolean {
    if (this.inTransaction(state) < count) return false;
    return (this.#openCounts[state].get({ limit: count })?.count ?? 0) >= count;
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
    const { isTableWrong, behind } = this.#committed;
    if (operationStates.some((state) => this.inTransaction(state) < 0)) this.#byHand = this.#countByHand();
    this.#mustWrite ||= isTableWrong || this.#byHand !== null || behind + this.#savedCount > mostBehind;
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
    this.#byHand = null;
  }

  #add(state: OperationState, by: number): void {
    this.#changes.set(state, (this.#changes.get(state) ?? 0) + by);
  }

  #touched(rowId: number): void {
    if (rowId <= this.#committed.through) this.#mustWrite = true;
  }

  #afterThis(): Counted {
    const before = this.#committed;
    const counts = countEach((state) => this.inTransaction(state));
    const lastRowId = Math.max(before.lastRowId, this.#lastSaved);
    return this.#mustWrite
      ? { counts, written: counts, through: lastRowId, lastRowId, behind: 0, isTableWrong: false }
      : { ...before, counts, lastRowId, behind: before.behind + this.#savedCount };
  }

  #fromDatabase(): Counted {
    const lines = new Map(this.#statements.list.all().map((line) => [line.state, line]));
    const counts = countEach((state) => (lines.get(state)?.count ?? 0) + (lines.get(state)?.behind ?? 0));
    const lastRowId = this.#statements.last.get()?.rowId ?? 0;
    const isTableWrong = !this.#agreesAsFarAsSeen(counts, lastRowId);
    return {
      counts: isTableWrong ? this.#countByHand() : counts,
      written: countEach((state) => lines.get(state)?.count ?? 0),
      through: this.#statements.countedThrough.get()?.rowId ?? lastRowId,
      lastRowId,
      behind: [...lines.values()].reduce((sum, { behind }) => sum + behind, 0),
      isTableWrong,
    };
  }

  /** A page that cannot be read must not keep the till from starting: nothing is then seen to be wrong. */
  #agreesAsFarAsSeen(counts: Counts, lastRowId: number): boolean {
    try {
      return this.#agrees(counts, lastRowId);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return true;
    }
  }

  /** Whether they may be those of the rows, as far as that is seen at a glance: small counts of open states are exact. */
  #agrees(counts: Counts, lastRowId: number): boolean {
    // Each row has a number of its own.
    if (operationStates.some((state) => counts[state] > lastRowId)) return false;
    return openStates.every((state) => {
      const found = this.#openCounts[state].get({ limit: mostCompared + 1 })?.count ?? 0;
      return found === Math.min(counts[state], mostCompared + 1);
    });
  }

  /** Some microseconds for each row. */
  #countByHand(): Counts {
    return countedByHand(this.#statements.byHand.all());
  }
}

function countEach(countOf: (state: OperationState) => number): Counts {
  return Object.fromEntries(operationStates.map((state) => [state, countOf(state)])) as Record<OperationState, number>;
}

function countedByHand(found: readonly { readonly state: OperationState; readonly count: number }[]): Counts {
  return countEach((state) => found.find((line) => line.state === state)?.count ?? 0);
}

/** How many operations are in a state, and how many of them were counted by looking at their rows. */
interface StateCount {
  readonly state: OperationState;
  readonly count: number;
  readonly behind: number;
}

/** How many operations are in each state, in a database of any version that another agent may have open. */
export function countsIn(database: Database): readonly StateCount[] {
  const { list } = prepareAll(database, { list: countStatements.list });
  return list.all().map(({ state, count, behind }) => ({ state, count: count + behind, behind }));
}

/** How many operations still have a way to go, counted by their rows. */
export function countWaitingIn(database: Database): number {
  const byState = prepareAll(database, openCountStatements);
  const limit = Number.MAX_SAFE_INTEGER;
  return waitingStates.reduce((sum, state) => sum + (byState[state].get({ limit })?.count ?? 0), 0);
}

/** A state of which the counters do not say what the rows show. */
interface CountDifference {
  readonly state: OperationState;
  readonly counted: number;
  readonly found: number;
}

/** Holds the counters against the rows, all of them, as of one moment. */
export function countDifferences(database: Database): readonly CountDifference[] {
  const { list, byHand } = prepareAll(database, { list: countStatements.list, byHand: countStatements.byHand });
  return database.transaction(() => {
    const found = countedByHand(byHand.all());
    const counted = new Map(list.all().map(({ state, count, behind }) => [state, count + behind]));
    return operationStates
      .map((state) => ({ state, counted: counted.get(state) ?? 0, found: found[state] }))
      .filter((line) => line.counted !== line.found);
  })();
}

/** The number of the operation that was saved last; 0 when there is none. */
export function lastRowIdOf(database: Database): number {
  return prepareAll(database, { last: lastStatements.last }).last.get()?.rowId ?? 0;
}

/** How many operations there are, counted one by one. */
export function countOperations(database: Database): number {
  return prepareAll(database, { total: countStatements.total }).total.get()?.count ?? 0;
}

/** Operations that somebody has deleted. */
interface DeletedOperations {
  /** Null: at least one; the counters tell of no more, as after a start that has corrected them. */
  readonly count: number | null;
  /** When the operations before and after the last of them were saved; null where there is none. */
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/**
 * By what the trigger on deleted rows has noted, and then by the counters. Gaps in the row numbers prove nothing: a save
 * that failed leaves one, too. Whoever deletes rows can also change the note and the counters.
 */
export function deletedOperations(database: Database): DeletedOperations | null {
  const { list, lastDeleted, savedUpTo, savedAfter } = prepareAll(database, { ...countStatements, ...lastStatements });
  return database.transaction(() => {
    const rowId = lastDeleted.get()?.rowId ?? 0;
    const before = savedUpTo.get({ rowId });
    // After a recovery it names the last row that was carried over, which is there.
    if (rowId === 0 || before?.rowId === rowId) return null;
    const counted = list.all().reduce((sum, { count, behind }) => sum + count + behind, 0);
    const missing = counted - countOperations(database);
    return {
      count: missing > 0 ? missing : null,
      afterMs: before?.savedAtMs ?? null,
      beforeMs: savedAfter.get({ rowId })?.savedAtMs ?? null,
    };
  })();
}
