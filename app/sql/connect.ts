import BetterSqlite3, { type Database, type Options } from 'better-sqlite3';

/**
 * Opens a database file. Functions that somebody's schema calls (a view, a trigger, a CHECK, a default) may do no more
 * than compute, and cells of a page are measured before they are read: a file may come from anywhere.
 */
export function connect(path: string, options: Options = {}): Database {
  const database = new BetterSqlite3(path, options);
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
  return database;
}
