import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { FoundLater } from '../schema/operation-values.ts';
import { nextLookInMs, type PlannedWatch } from '../schema/watch-schedule.ts';
import { watchStatements } from '../statements/watches.ts';

/** An operation that is looked up again. */
export type Watch = RowOf<typeof watchStatements.due>;

/** The request of an operation, as it was sent. */
export type SentVersion = RowOf<typeof watchStatements.version>;

/** What is to be looked up again. Methods that write run inside a transaction of the Writer and nowhere else. */
export class WatchStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareAll(database, watchStatements);
  }

  /** One that is watched already begins again, with the more careful of both schedules; a look at once comes first. */
  begin(rowId: number, plan: PlannedWatch, nowMs: number): void {
    const earlier = this.#statements.schedule.get({ rowId })?.schedule;
    const schedule = earlier === 'whole' ? earlier : plan.schedule;
    const inMs = nextLookInMs(plan.schedule === 'at_once' ? plan.schedule : schedule, 0) ?? 0;
    const times = { sinceMs: nowMs, plannedAtMs: nowMs, dueAtMs: nowMs + inMs };
    this.#statements.put.run({ rowId, why: plan.why, schedule, looks: 0, ...times });
  }

  /** Due for a look, the longest due first; those whose next look was planned later than now, too: the clock was set. */
  due(nowMs: number, limit: number): readonly Watch[] {
    return this.#statements.due.all({ nowMs, limit });
  }

  /**
   * A time of the service's clock that the database already knew before it was put back; null when no row tells one.
   *
   * @param lastRowId the last row that was there when this run of the agent began
   */
  knownBeforePutBackMs({ sinceMs }: Watch, lastRowId: number): number | null {
    return this.#statements.completedBefore.get({ lastRowId, beforeMs: sinceMs })?.completedAtMs ?? null;
  }

  nextAtMs(): number | null {
    return this.#statements.next.get()?.atMs ?? null;
  }

  /** A look is done. @returns whether another one follows */
  looked({ rowId, schedule, looks }: Watch, nowMs: number): boolean {
    const nextInMs = nextLookInMs(schedule, looks + 1);
    if (nextInMs === null) {
      this.end(rowId);
      return false;
    }
    this.#statements.plan.run({ rowId, looks: looks + 1, plannedAtMs: nowMs, dueAtMs: nowMs + nextInMs });
    return true;
  }

  /** Nothing was learned: the same look again, later. */
  postpone({ rowId, looks }: Watch, nowMs: number, byMs: number): void {
    this.#statements.plan.run({ rowId, looks, plannedAtMs: nowMs, dueAtMs: nowMs + byMs });
  }

  end(rowId: number): void {
    this.#statements.end.run({ rowId });
  }

  /** The wall clock was set: what is planned by it moves along. */
  shift(byMs: number): void {
    this.#statements.shift.run({ byMs });
  }

  /** What the operation was sent as, the newest first; none once it was erased. */
  versions(rowId: number): readonly SentVersion[] {
    const version = this.#statements.version.get({ rowId });
    return [...(version === null ? [] : [version]), ...this.#statements.earlierVersions.all({ rowId })];
  }

  /** An earlier version is the one that the service holds: the row says so. */
  putBack(rowId: number, version: SentVersion): void {
    this.#statements.putBack.run({ ...version, rowId });
  }

  /** What a person has to decide about; null when that is done. */
  setFound(rowId: number, found: FoundLater | null): void {
    this.#statements.setFound.run({ rowId, found });
  }

  /** How many wait for that. */
  foundCount(): number {
    return this.#statements.foundCount.get()?.count ?? 0;
  }

  /** A reversal that was asked for and dropped, because its original seemed to come to nothing. */
  droppedReversalOf(rowId: number): number | null {
    return this.#statements.droppedReversal.get({ rowId })?.rowId ?? null;
  }

  /**
   * Whether somebody waits for it or not, it is to be done: unless its outcome is known by now, it is sent again when it can
   * be, and a refusal waits for a person.
   */
  defer(rowId: number): void {
    this.#statements.defer.run({ rowId });
  }
}
