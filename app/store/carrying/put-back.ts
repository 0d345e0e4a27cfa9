import type { Database } from 'better-sqlite3';
import { dayMs } from '../../../shared/lib/durations.ts';
import { prepareAll } from '../../sql/prepare.ts';
import { afterwardsStatements } from '../statements/carry-over.ts';
import { commonColumns } from '../versions/table-columns.ts';

/** So long before a copy was made, an operation may have been taken back, or sent once more, after the copy. */
const doubtedBeforeMs = 3 * dayMs;

/**
 * Of a database that was brought back from an earlier time: what it shows as applied may have been taken back since, and
 * what it shows as cancelled may have been sent. Each is looked up once when the line is back.
 */
export function watchPutBack(into: Database, nowMs: number): void {
  prepareAll(into, { watchPutBack: afterwardsStatements.watchPutBack }).watchPutBack.run({ nowMs, doubtedBeforeMs });
}

/** Takes along what another database was to look up again, and what its operations were sent as before. */
export function carryWatches(from: Database, into: Database, newRowIds: ReadonlyMap<number, number>): void {
  for (const table of ['watches', 'earlier_versions'] as const) {
    try {
      // Which columns both have is known only when both are open.
      const columns = commonColumns(from, into, table).filter((name) => name !== 'row_id');
      const insert = into.prepare(
        `INSERT OR IGNORE INTO ${table} (row_id, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
      );
      const rows = from.prepare<[], Readonly<Record<string, string | number | null>>>(`SELECT * FROM ${table}`);
      for (const row of rows.iterate()) {
        const rowId = newRowIds.get(Number(row.row_id));
        if (rowId !== undefined) insert.run(rowId, ...columns.map((name) => row[name] ?? null));
      }
    } catch {
      // A database from before there were any, or one whose pages with them are lost.
    }
  }
}
