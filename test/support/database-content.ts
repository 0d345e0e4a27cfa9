import type { Database } from 'better-sqlite3';

/** All that is in a small database, so that two can be compared: what is described in it, and its rows. */
export function contentOf(database: Database) {
  const objects = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
  const tables = database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all();
  return { objects, rows: tables.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]) };
}
