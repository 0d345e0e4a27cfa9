import type { Database } from 'better-sqlite3';
import type { NewOperation } from '../operations/new-operation.ts';
import type { FoundLater } from '../operations/operation.ts';
import { nextLookInMs, type PlannedWatch, type WatchReason, type WatchSchedule } from '../operations/watch-schedule.ts';

/** An operation that is looked up again. */
export interface Watch {
  readonly rowId: number;
  readonly why: WatchReason;
  readonly schedule: WatchSchedule;
  readonly looks: number;
}

/** The request of an operation, as it was sent. */
export type SentVersion = Pick<
  NewOperation,
  | 'path'
  | 'body'
  | 'card_id'
  | 'amount_minor'
  | 'currency'
  | 'points'
  | 'stamps'
  | 'visits'
  | 'identifier_kind'
  | 'identifier_value'
> & { readonly body_version: number };

/** What is to be looked up again. Methods that write run inside a transaction of the Writer and nowhere else. */
export class WatchStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareStatements(database);
  }

  /** One that is watched already begins anew, with the more careful of both schedules; a look at once comes first. */
  begin(rowId: number, plan: PlannedWatch, nowMs: number): void {
    const earlier = this.#statements.schedule.get(rowId)?.schedule;
    const schedule = earlier === 'whole' ? earlier : plan.schedule;
    const inMs = nextLookInMs(plan.schedule === 'at_once' ? plan.schedule : schedule, 0) ?? 0;
    this.#statements.put.run(rowId, plan.why, schedule, nowMs, nowMs, nowMs + inMs);
  }

  /** Due for a look, the longest due first; those whose next look was planned later than now, too: the clock was set. */
  due(nowMs: number, limit: number): readonly Watch[] {
    return this.#statements.due.all({ nowMs, limit });
  }

  nextAtMs(): number | null {
    return this.#statements.next.get()?.at ?? null;
  }

  /** A look is done. @returns whether another one follows */
  looked({ rowId, schedule, looks }: Watch, nowMs: number): boolean {
    const nextInMs = nextLookInMs(schedule, looks + 1);
    if (nextInMs === null) {
      this.end(rowId);
      return false;
    }
    this.#statements.plan.run(looks + 1, nowMs, nowMs + nextInMs, rowId);
    return true;
  }

  /** Nothing was learned: the same look again, later. */
  postpone({ rowId, looks }: Watch, nowMs: number, byMs: number): void {
    this.#statements.plan.run(looks, nowMs, nowMs + byMs, rowId);
  }

  end(rowId: number): void {
    this.#statements.end.run(rowId);
  }

  /** The wall clock was set: what is planned by it moves along. */
  shift(byMs: number): void {
    this.#statements.shift.run(byMs, byMs);
  }

  /** What the operation was sent as, the newest first; none once it was erased. */
  versions(rowId: number): readonly SentVersion[] {
    return this.#statements.versions.all(rowId, rowId);
  }

  /** An earlier version is the one that the service holds: the row says so. */
  putBack(rowId: number, version: SentVersion): void {
    this.#statements.putBack.run({ ...version, row_id: rowId });
  }

  /** What a person has to decide about; null when that is done. */
  setFound(rowId: number, found: FoundLater | null): void {
    this.#statements.setFound.run(found, rowId);
  }

  /** How many wait for that. */
  foundCount(): number {
    return this.#statements.foundCount.get()?.count ?? 0;
  }

  /** A reversal that was asked for and dropped, because its original seemed to come to nothing. */
  droppedReversalOf(rowId: number): number | null {
    return this.#statements.droppedReversal.get(rowId)?.rowId ?? null;
  }

  /** Nobody waits for it any more: it is sent when it can be. */
  defer(rowId: number): void {
    this.#statements.defer.run(rowId);
  }
}

const versionColumns = `path, body, card_id, amount_minor, currency, points, stamps, visits, identifier_kind,
  identifier_value, body_version`;

function prepareStatements(database: Database) {
  return {
    schedule: database.prepare<[number], { schedule: WatchSchedule }>('SELECT schedule FROM watches WHERE row_id = ?'),
    put: database.prepare<[number, WatchReason, WatchSchedule, number, number, number]>(
      `INSERT INTO watches (row_id, why, schedule, looks, since, planned_at, due_at) VALUES (?, ?, ?, 0, ?, ?, ?)
       ON CONFLICT (row_id) DO UPDATE SET why = excluded.why, schedule = excluded.schedule, looks = 0,
         since = excluded.since, planned_at = excluded.planned_at, due_at = excluded.due_at`,
    ),
    due: database.prepare<[{ nowMs: number; limit: number }], Watch>(
      `SELECT row_id AS rowId, why, schedule, looks FROM watches
       WHERE due_at <= :nowMs OR planned_at > :nowMs ORDER BY due_at LIMIT :limit`,
    ),
    next: database.prepare<[], { at: number | null }>('SELECT min(due_at) AS at FROM watches'),
    plan: database.prepare<[number, number, number, number]>(
      'UPDATE watches SET looks = ?, planned_at = ?, due_at = ? WHERE row_id = ?',
    ),
    end: database.prepare<[number]>('DELETE FROM watches WHERE row_id = ?'),
    shift: database.prepare<[number, number]>('UPDATE watches SET planned_at = planned_at + ?, due_at = due_at + ?'),
    versions: database.prepare<[number, number], SentVersion>(
      `SELECT ${versionColumns} FROM operations WHERE row_id = ? AND body IS NOT NULL
       UNION ALL SELECT ${versionColumns} FROM earlier_versions WHERE row_id = ? ORDER BY body_version DESC`,
    ),
    putBack: database.prepare<[SentVersion & { row_id: number }]>(
      `UPDATE operations SET path = :path, body = :body, body_version = body_version + 1, card_id = :card_id,
         amount_minor = :amount_minor, currency = :currency, points = :points, stamps = :stamps, visits = :visits,
         identifier_kind = :identifier_kind, identifier_value = :identifier_value
       WHERE row_id = :row_id`,
    ),
    setFound: database.prepare<[string | null, number]>('UPDATE operations SET found = ? WHERE row_id = ?'),
    foundCount: database.prepare<[], { count: number }>(
      `SELECT count(*) AS count FROM operations WHERE found IS NOT NULL AND (state = 'applied' OR state = 'accepted')`,
    ),
    droppedReversal: database.prepare<[number], { rowId: number }>(
      `SELECT row_id AS rowId FROM operations WHERE reverses_row_id = ? AND state = 'cancelled'
       ORDER BY row_id DESC LIMIT 1`,
    ),
    defer: database.prepare<[number]>(
      `UPDATE operations SET delivery = 'deferred' WHERE row_id = ? AND state = 'queued'`,
    ),
  };
}
