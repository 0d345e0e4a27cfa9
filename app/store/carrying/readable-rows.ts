import type { Database } from 'better-sqlite3';
import type { StoredValue } from '../files/table-leaf.ts';

/** A row of a table whose columns are not known beforehand. */
export type AnyRow = Readonly<Record<string, StoredValue>>;

const pageSize = 200;
/** Between the ends that can be read, at most so many rows are tried one by one. */
const mostProbes = 200_000;
/** Above the last row that could be read, the search ends after so many that are not there. */
const patience = 2_000;

/**
 * Every row of a table that can still be read, each once and in no order that matters: from both ends to where a page is
 * damaged, and one by one between.
 *
 * @param key the table's integer key
 */
export function* readableRows(
  database: Database,
  { table, key }: { readonly table: string; readonly key: string },
): Generator<AnyRow> {
  // Whatever its columns are: there is no described table for a damaged one.
  const upward = database.prepare<[number, number], AnyRow>(
    `SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`,
  );
  const downward = database.prepare<[number, number], AnyRow>(
    `SELECT * FROM ${table} WHERE ${key} < ? ORDER BY ${key} DESC LIMIT ?`,
  );
  const single = database.prepare<[number], AnyRow>(`SELECT * FROM ${table} WHERE ${key} = ?`);

  // Our keys begin with 1.
  let low = 0;
  let isAllRead = false;
  for (;;) {
    const from = low;
    const rows = pageOrNull(() => upward.all(low, pageSize)) ?? pageOrNull(() => upward.all(low, 1));
    if (rows === null) break;
    if (rows.length === 0) {
      isAllRead = true;
      break;
    }
    for (const row of rows) {
      if (!isBetween(row[key], low, Number.MAX_SAFE_INTEGER)) break;
      yield row;
      low = Number(row[key]);
    }
    // Where pages do not fit together, the row that it comes from may stand there once more.
    if (low === from || rows.at(-1)?.[key] !== low) break;
  }
  if (isAllRead) return;

  let high = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const from = high;
    const rows = pageOrNull(() => downward.all(high, pageSize)) ?? pageOrNull(() => downward.all(high, 1));
    if (rows === null || rows.length === 0) break;
    for (const row of rows) {
      // From above it has come to where it had come from below.
      if (row[key] === low) return;
      if (!isBetween(row[key], low, high)) break;
      yield row;
      high = Number(row[key]);
    }
    if (high === from || rows.at(-1)?.[key] !== high) break;
  }

  let absent = 0;
  const first = low + 1;
  for (let number = first; number < high && number - first < mostProbes && absent < patience; number += 1) {
    const rows = pageOrNull(() => single.all(number)) ?? [];
    const row = rows.find((one) => one[key] === number);
    absent = row !== undefined ? 0 : absent + (high === Number.MAX_SAFE_INTEGER ? 1 : 0);
    if (row !== undefined) yield row;
  }
}

/** What a column of numbers holds; null for anything else that was found in it. */
export function numberOf(value: AnyRow[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** In a damaged page any key may stand, also one that was not asked for: to go on from there would have no end. */
function isBetween(key: AnyRow[string] | undefined, low: number, high: number): boolean {
  return typeof key === 'number' && key > low && key < high;
}

function pageOrNull(read: () => readonly AnyRow[]): readonly AnyRow[] | null {
  try {
    return read();
  } catch {
    return null;
  }
}
