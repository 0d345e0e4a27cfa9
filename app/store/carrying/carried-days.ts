import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { carryOverStatements } from '../statements/carry-over.ts';
import { commonColumns } from '../versions/table-columns.ts';
import type { AnyRow } from './readable-rows.ts';

/** Closed days stay closed. Operations are named in them by their ids, which they keep. */
export function carryDayCloses(from: Database, into: Database): void {
  try {
    const { closedDays } = prepareAll(into, { closedDays: carryOverStatements.closedDays });
    const knownDays = new Set(closedDays.all().map(({ businessDate }) => businessDate));
    for (const table of ['day_closes', 'day_close_carried', 'day_close_late'] as const) {
      const columns = commonColumns(from, into, table);
      const insert = into.prepare(
        `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      // A closing stands as it is here. What came late to a day did so to any closing of it.
      const isTaken = (date: string) => table === 'day_close_late' || !knownDays.has(date);
      for (const row of from.prepare<[], AnyRow>(`SELECT * FROM ${table}`).iterate()) {
        if (isTaken(String(row.business_date))) insert.run(...columns.map((name) => row[name] ?? null));
      }
    }
  } catch {
    // A database from before there were any, or one whose pages with them are lost.
  }
}
