import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { carryOverStatements } from '../statements/carry-over.ts';
import { commonColumns } from '../versions/table-columns.ts';
import type { AnyRow } from './readable-rows.ts';

/** Where the operations of the other database have come to stand. */
interface CarriedRowIds {
  /** By their row ids there, those that they have here. */
  readonly newRowIds: ReadonlyMap<number, number>;
  /** There: of what stays there alone. */
  readonly leftRowIds: ReadonlySet<number>;
  /** Here: of what was not here before. */
  readonly broughtRowIds: ReadonlySet<number>;
}

type Dated = RowOf<typeof carryOverStatements.datedAfter>;

/** A day that was closed in one of the two databases, or in both. */
interface ClosedDay {
  /** Whose closing holds; `both`: it is one closing. */
  readonly whose: 'ours' | 'theirs' | 'both';
  /** Their closing. */
  readonly row: AnyRow | null;
  /** The last row there that their closing can have counted; null: nobody knows. */
  readonly lastRowIdThere: number | null;
  /** The last operation that the closing has counted, by the rows here, where it may have none. */
  last: { readonly operationId: string | null; readonly rowId: number };
  readonly late: Dated[];
}

/**
 * Closed days stay closed. Of all that stands here now each operation is counted once: by the closing of its day, or among
 * what came later. The closing counts up to its last row, and rows may have come to stand in another order, with others
 * between them: the last row is told anew, and what the closing has not counted up to there is noted as late.
 */
export function carryDayCloses(from: Database, into: Database, rowIds: CarriedRowIds): void {
  try {
    const days = closedDays(from, into);
    if (days.size === 0) return;
    sortOperations(days, { from, into, rowIds });
    const taken = [...days].filter(([, { whose }]) => whose === 'theirs');
    const closes = taken.map(([, { row, last }]) => ({ ...row, last_operation_id: last.operationId }));
    insertRows('day_closes', closes, { from, into });
    const takenDates = new Set(taken.map(([date]) => date));
    const carried = rowsOf(from, 'day_close_carried').filter((row) => takenDates.has(String(row.business_date)));
    insertRows('day_close_carried', carried, { from, into });
    const { insertLate } = prepareAll(into, { insertLate: carryOverStatements.insertLate });
    for (const { late, last } of days.values()) {
      // What stands behind the last row is late by that.
      for (const { rowId, ...operation } of late) if (rowId <= last.rowId) insertLate.run(operation);
    }
  } catch {
    // What can be read of a damaged page need not be a closing.
  }
}

function closedDays(from: Database, into: Database): ReadonlyMap<string, ClosedDay> {
  const statements = prepareAll(into, { closedDays: carryOverStatements.closedDays });
  const ours = new Map(statements.closedDays.all().map((day) => [day.businessDate, day]));
  const theirs = new Map(rowsOf(from, 'day_closes').map((row) => [String(row.business_date), row]));
  return new Map(
    [...new Set([...ours.keys(), ...theirs.keys()])].map((date) => {
      const our = ours.get(date);
      const row = theirs.get(date) ?? null;
      const lastThere = typeof row?.last_operation_id === 'string' ? row.last_operation_id : null;
      const operationId = our === undefined ? lastThere : our.lastOperationId;
      const isOne = our?.closedAtMs === row?.closed_at && our?.closedBy === row?.closed_by;
      return [
        date,
        {
          whose: our === undefined ? 'theirs' : isOne ? 'both' : 'ours',
          row,
          // Lost there, and known here: it has the same row, as each that is lost.
          lastRowIdThere: lastThere === null ? 0 : (rowIdIn(from, lastThere) ?? rowIdIn(into, lastThere)),
          last: { operationId, rowId: operationId === null ? 0 : (rowIdIn(into, operationId) ?? 0) },
          late: [],
        },
      ];
    }),
  );
}

/** Notes with each day what it has not counted, and the last one that it has. */
function sortOperations(
  days: ReadonlyMap<string, ClosedDay>,
  { from, into, rowIds }: { readonly from: Database; readonly into: Database; readonly rowIds: CarriedRowIds },
): void {
  const { newRowIds, leftRowIds, broughtRowIds } = rowIds;
  const rowIdsThere = new Map([...newRowIds].map(([there, here]) => [here, there]));
  const nameOf = (date: unknown, operationId: unknown) => `${String(date)} ${String(operationId)}`;
  const lateThere = new Set(rowsOf(from, 'day_close_late').map((row) => nameOf(row.business_date, row.operation_id)));
  const verdictOn = ({ rowId, businessDate, operationId }: Dated, day: ClosedDay) => {
    if (day.whose === 'ours') return broughtRowIds.has(rowId) ? 'late' : 'stays';
    if (lateThere.has(nameOf(businessDate, operationId))) return 'late';
    const rowIdThere = rowIdsThere.get(rowId);
    if (day.lastRowIdThere === null || (day.whose === 'both' && rowIdThere === undefined)) return 'stays';
    // Where no row stands there under its number it is the one that was lost: it stood there when the day was closed.
    const isLostThere = !newRowIds.has(rowId) && !leftRowIds.has(rowId);
    const stoodAt = rowIdThere ?? (isLostThere ? rowId : Number.POSITIVE_INFINITY);
    return stoodAt <= day.lastRowIdThere ? 'counted' : 'late';
  };
  for (const operation of datedOperations(into)) {
    const day = days.get(operation.businessDate);
    if (day === undefined) continue;
    const verdict = verdictOn(operation, day);
    if (verdict === 'late') day.late.push(operation);
    if (verdict === 'counted' && day.whose === 'theirs' && operation.rowId > day.last.rowId) day.last = operation;
  }
}

/** In the order of their rows. */
function* datedOperations(database: Database): Generator<Dated> {
  const { datedAfter } = prepareAll(database, { datedAfter: carryOverStatements.datedAfter });
  for (let page = datedAfter.all({ rowId: 0 }); page.length > 0; ) {
    yield* page;
    page = datedAfter.all({ rowId: page.at(-1)?.rowId ?? Number.MAX_SAFE_INTEGER });
  }
}

function rowIdIn(database: Database, operationId: string): number | null {
  try {
    return prepareAll(database, { known: carryOverStatements.known }).known.get({ operationId })?.rowId ?? null;
  } catch {
    return null;
  }
}

/** What can be read of a table: a database from before there was one has none. */
function rowsOf(database: Database, table: 'day_closes' | 'day_close_carried' | 'day_close_late'): readonly AnyRow[] {
  const rows: AnyRow[] = [];
  try {
    for (const row of database.prepare<[], AnyRow>(`SELECT * FROM ${table}`).iterate()) rows.push(row);
  } catch {
    // The rest is lost with a page.
  }
  return rows;
}

function insertRows(
  table: 'day_closes' | 'day_close_carried',
  rows: readonly AnyRow[],
  { from, into }: { readonly from: Database; readonly into: Database },
): void {
  if (rows.length === 0) return;
  // Which columns both have is known only when both are open.
  const columns = commonColumns(from, into, table);
  const insert = into.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...columns.map((name) => row[name] ?? null));
}
