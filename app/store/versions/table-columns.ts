import type { Database } from 'better-sqlite3';

// Drizzle cannot describe SQLite's own tables, such as sqlite_schema: these statements are plain SQL.

/** Whether a database of any version has this table. */
export function hasTable(database: Database, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** Whether a database has no tables: nothing was ever created in it. */
export function isWithoutTables(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

/** Whether this is a table with rows. A view, or a virtual table of an SQLite module, may give other rows each time. */
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

/** The names of a table's columns, in the order in which they were created. */
export function columnsOf(database: Database, table: string): readonly string[] {
  return database
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
}
