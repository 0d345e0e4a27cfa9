import type { Database } from 'better-sqlite3';
import { type AnyRow, readableRows } from './readable-rows.ts';

/** What became of the rows of another database. */
export interface CarriedOver {
  /** Operations that were not here and now are. */
  readonly carried: number;
  /** Operations that were here as they had been earlier, and are now as they were there. */
  readonly renewed: number;
  /** Operations that are known to have been there and could not be read. */
  readonly unreadable: number;
}

/**
 * Takes the operations of one database into another: after damage, what can still be read; after a restore, what was
 * saved since the backup. What may have been sent without it standing there becomes `unknown`: it is sent again as it
 * is, or looked up, and never cancelled or corrected before that. May be run again after a crash.
 *
 * @param reason stands in the history of each operation that it changes
 */
export function carryOver(
  from: Database,
  into: Database,
  { atMs, reason }: { readonly atMs: number; readonly reason: string },
): CarriedOver {
  const tally = { carried: 0, renewed: 0, failed: 0 };
  const links: { readonly rowId: number; readonly reverses: number | null; readonly replaces: number | null }[] = [];
  const newRowIds = new Map<number, number>();
  const write = writesInto(from, into);

  into.transaction(() => {
    for (const row of operationsOf(from, () => undefined)) {
      try {
        const taken = write.operation(row, { atMs, reason });
        newRowIds.set(Number(row.row_id), taken.rowId);
        if (taken.kind === 'known') continue;
        tally[taken.kind] += 1;
        links.push({
          rowId: taken.rowId,
          reverses: numberOf(row.reverses_row_id),
          replaces: numberOf(row.replaces_row_id),
        });
      } catch {
        // The page could be read and its content is not a row of ours.
        tally.failed += 1;
      }
    }
    for (const link of links) {
      write.links(link.rowId, mapped(newRowIds, link.reverses), mapped(newRowIds, link.replaces));
    }
    carryPeople(from, into);
    carryDayCloses(from, into);
    recount(into);
  })();
  const missing = Math.max(0, expectedCount(from) - newRowIds.size);
  return { carried: tally.carried, renewed: tally.renewed, unreadable: Math.max(missing, tally.failed) };
}

/** Who may decide comes along: a till without managers would let everybody. */
function carryPeople(from: Database, into: Database): void {
  try {
    const columns = commonColumns(from, into, 'people').filter((name) => name !== 'person_id');
    const insert = into.prepare(
      `INSERT OR IGNORE INTO people (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of readableRows(from, { table: 'people', key: 'person_id' }, () => undefined)) {
      insert.run(...columns.map((name) => row[name] ?? null));
    }
  } catch {
    // A database from before there were any, or one whose page with them is lost.
  }
}

/** Closed days stay closed. Operations are named in them by their ids, which they keep. */
function carryDayCloses(from: Database, into: Database): void {
  try {
    const knownDays = new Set(
      into
        .prepare<[], { day: string }>('SELECT business_date AS day FROM day_closes')
        .all()
        .map(({ day }) => day),
    );
    for (const table of ['day_closes', 'day_close_carried'] as const) {
      const columns = commonColumns(from, into, table);
      const insert = into.prepare(
        `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of from.prepare<[], AnyRow>(`SELECT * FROM ${table}`).iterate()) {
        if (!knownDays.has(String(row.business_date))) insert.run(...columns.map((name) => row[name] ?? null));
      }
    }
  } catch {
    // A database from before there were any, or one whose pages with them are lost.
  }
}

type Taken = { readonly kind: 'carried' | 'renewed' | 'known'; readonly rowId: number };

function writesInto(from: Database, into: Database) {
  const columns = commonColumns(from, into, 'operations').filter(
    (name) => !['row_id', 'reverses_row_id', 'replaces_row_id'].includes(name),
  );
  const eventColumns = commonColumns(from, into, 'operation_events').filter((name) => name !== 'row_id');
  const known = into.prepare<[string], { rowId: number; version: number }>(
    'SELECT row_id AS rowId, version FROM operations WHERE operation_id = ?',
  );
  const isTaken = into.prepare<[number], { n: number }>('SELECT 1 AS n FROM operations WHERE row_id = ?');
  const next = into.prepare<[], { next: number }>('SELECT coalesce(max(row_id), 0) + 1 AS next FROM operations');
  const insert = into.prepare(
    `INSERT INTO operations (row_id, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
  );
  const renew = into.prepare(
    `UPDATE operations SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE row_id = ?`,
  );
  const forgetEvents = into.prepare('DELETE FROM operation_events WHERE row_id = ?');
  const insertEvent = into.prepare(
    `INSERT OR IGNORE INTO operation_events (row_id, ${eventColumns.join(', ')}) VALUES (?, ${eventColumns.map(() => '?').join(', ')})`,
  );
  const link = into.prepare<[number | null, number | null, number]>(
    'UPDATE operations SET reverses_row_id = ?, replaces_row_id = ? WHERE row_id = ?',
  );
  const events = from.prepare<[number], AnyRow>('SELECT * FROM operation_events WHERE row_id = ? ORDER BY version');

  function copyEvents(fromRowId: number, rowId: number): void {
    try {
      for (const event of events.all(fromRowId))
        insertEvent.run(rowId, ...eventColumns.map((name) => event[name] ?? null));
    } catch {
      // The operation counts; its history may be lost with a page.
    }
  }

  return {
    operation(row: AnyRow, note: { readonly atMs: number; readonly reason: string }): Taken {
      const here = known.get(String(row.operation_id));
      const values = columns.map((name) => row[name] ?? null);
      if (here === undefined) {
        const wanted = Number(row.row_id);
        const rowId = isTaken.get(wanted) === undefined ? wanted : (next.get()?.next ?? wanted);
        insert.run(rowId, ...values);
        copyEvents(wanted, rowId);
        suspect(into, rowId, note);
        return { kind: 'carried', rowId };
      }
      if (Number(row.version) <= here.version) return { kind: 'known', rowId: here.rowId };
      renew.run(...values, here.rowId);
      forgetEvents.run(here.rowId);
      copyEvents(Number(row.row_id), here.rowId);
      suspect(into, here.rowId, note);
      return { kind: 'renewed', rowId: here.rowId };
    },
    links: (rowId: number, reverses: number | null, replaces: number | null) => link.run(reverses, replaces, rowId),
  };
}

/** Rows that may have been sent without it standing here: everything deferred that is not proven, and what was under way. */
const notProven = `(delivery = 'deferred' AND state IN ('queued', 'refused')) OR state = 'sending'`;

/** Of a database that was brought back from an earlier time: what waits there may have been sent since. */
export function suspectWaiting(into: Database, note: { readonly atMs: number; readonly reason: string }): void {
  into.transaction(() => {
    const rows = into.prepare<[], { rowId: number }>(`SELECT row_id AS rowId FROM operations WHERE ${notProven}`).all();
    for (const { rowId } of rows) suspect(into, rowId, note);
    recount(into);
  })();
}

function suspect(
  into: Database,
  rowId: number,
  { atMs, reason }: { readonly atMs: number; readonly reason: string },
): void {
  const { changes } = into
    .prepare(
      `INSERT INTO operation_events (row_id, version, from_state, to_state, at, send, reason)
       SELECT row_id, version + 1, state, 'unknown', ?, sends, ? FROM operations WHERE row_id = ? AND (${notProven})`,
    )
    .run(atMs, reason, rowId);
  if (changes === 0) return;
  into
    .prepare(
      `UPDATE operations SET state = 'unknown', version = version + 1, maybe_sent = 1, sends = max(sends, 1),
         next_attempt_at = 0, updated_at = ? WHERE row_id = ?`,
    )
    .run(atMs, rowId);
}

function operationsOf(from: Database, onUnreadable: () => void): Iterable<AnyRow> {
  try {
    return readableRows(from, { table: 'operations', key: 'row_id' }, onUnreadable);
  } catch {
    // The table itself cannot be found any more.
    return [];
  }
}

function commonColumns(from: Database, into: Database, table: string): readonly string[] {
  const there = columnsOf(from, table);
  return columnsOf(into, table).filter((name) => there.includes(name));
}

function columnsOf(database: Database, table: string): readonly string[] {
  return database
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
}

/** How many operations there were, by the count that is kept beside them; 0 when that is lost too. */
function expectedCount(from: Database): number {
  try {
    return from.prepare<[], { n: number | null }>('SELECT sum(count) AS n FROM state_counts').get()?.n ?? 0;
  } catch {
    return 0;
  }
}

function recount(into: Database): void {
  into.exec(`UPDATE state_counts SET count = (SELECT count(*) FROM operations WHERE operations.state = state_counts.state);
    UPDATE meta SET value = max(CAST(value AS INTEGER), (SELECT coalesce(max(row_id), 0) FROM operations))
    WHERE key = 'last_deleted_row_id'`);
}

function mapped(newRowIds: ReadonlyMap<number, number>, rowId: number | null): number | null {
  return rowId === null ? null : (newRowIds.get(rowId) ?? null);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
