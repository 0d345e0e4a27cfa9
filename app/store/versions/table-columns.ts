import type { Database } from 'better-sqlite3';

// What SQLite itself knows of tables is no table of ours: drizzle has no word for it.

/** Whether a database of any version has this table. */
export function hasTable(database: Database, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** Whether nothing was ever made in it. */
export function isWithoutTables(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

/** Whether it is a table of rows: a view, or what a module of SQLite's makes up, may give other rows each time. */
export function isTable(database: Database, name: string): boolean {
  const found = database
    .prepare<[string], string>(`SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ?`)
    .pluck()
    .get(name);
  return found === 'table';
}

/** The columns that a table has in both databases, in the order of the second. */
export function commonColumns(from: Database, into: Database, table: string): readonly string[] {
  const there = isTable(from, table) ? columnsOf(from, table) : [];
  return columnsOf(into, table).filter((name) => there.includes(name));
}

/** In the order of their making. */
export function columnsOf(database: Database, table: string): readonly string[] {
  return database
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
}
