import { operationStates } from '../../../shared/machines/operation.ts';
import { rowsOfLeaf, type StoredValue } from '../files/table-leaf.ts';
import { readLog } from '../files/write-ahead-log.ts';
import type { AnyRow } from './readable-rows.ts';

/**
 * The operations on pages of a log, whether or not a page beside it leads to them: over an older or a damaged file, what
 * would lead there may be in the lost file alone. Each is as the log's last commit has left it: SQLite overwrites what it
 * frees (`secure_delete`), and what lies behind the end of the database is not looked at. None of a log that is damaged.
 *
 * @param columns of the table, in the order of their making: rows of an older version have less of them
 */
export function operationsInLog(path: string, columns: readonly string[]): readonly AnyRow[] {
  const { damage, pageCount, pages } = readLog(path);
  if (damage !== null || pageCount === null) return [];
  const rows: AnyRow[] = [];
  for (const [number, page] of pages) {
    if (number === 1 || number > pageCount) continue;
    const onPage = rowsOfLeaf(page, (next) => (next > pageCount ? undefined : pages.get(next)));
    for (const { key, values } of onPage) {
      const row = named(columns, values);
      if (values.length <= columns.length && isOperation(row)) rows.push({ ...row, row_id: key });
    }
  }
  return rows;
}

function named(columns: readonly string[], values: readonly StoredValue[]): AnyRow {
  return Object.fromEntries(columns.map((name, place) => [name, values[place] ?? null]));
}

/** Other tables have rows, too. Whether it is a sound one is seen when it is saved. */
function isOperation({ operation_id, version, state }: AnyRow): boolean {
  return (
    typeof operation_id === 'string' && typeof version === 'number' && operationStates.some((known) => known === state)
  );
}

/** Rows of a table, and of each the one from the log where that is not older. */
export function* withRowsInLog(rows: Iterable<AnyRow>, inLog: readonly AnyRow[]): Generator<AnyRow> {
  const left = new Map(inLog.map((row) => [row.operation_id, row]));
  for (const row of rows) {
    const logged = left.get(row.operation_id);
    left.delete(row.operation_id);
    const newerBy = logged === undefined ? -1 : Number(logged.version) - Number(row.version);
    if (logged !== undefined && newerBy >= 0) yield logged;
    // What changes no version is taken from both.
    if (newerBy <= 0) yield row;
  }
  yield* left.values();
}
