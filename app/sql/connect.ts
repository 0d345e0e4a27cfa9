import { statSync } from 'node:fs';
import BetterSqlite3, { type Database, type Options } from 'better-sqlite3';

/**
 * Opens a database file. Functions that somebody's schema calls (a view, a trigger, a CHECK, a default) may do no more
 * than compute, and cells of a page are measured before they are read: a file may come from anywhere.
 *
 * @throws what SQLite says; SQLITE_NOTADB where `fileMustExist` and the file is empty beside a log that is not
 */
export function connect(path: string, options: Options = {}): Database {
  if (options.fileMustExist === true && isEmptyFile(path) && bytesOf(`${path}-wal`) > 0) {
    // SQLite deletes the log of an empty file at the first look, also on a connection that may only read.
    throw new BetterSqlite3.SqliteError('the file is empty, and its log is not', 'SQLITE_NOTADB');
  }
  const database = new BetterSqlite3(path, options);
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
  return database;
}

/** Whether SQLite takes a file for an empty database, or there is none. One byte is nothing to it (`unixFileSize`). */
export function isEmptyFile(path: string): boolean {
  return bytesOf(path) <= 1;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
