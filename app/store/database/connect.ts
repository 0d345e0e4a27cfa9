import BetterSqlite3, { type Database, type Options } from 'better-sqlite3';
import { connect as connectAny } from '../../sql/connect.ts';
import { isLogOfEmptyFile } from '../files/empty-file.ts';

/**
 * Opens the file of a database of an agent.
 *
 * @throws SqliteError; with SQLITE_NOTADB where `fileMustExist` and the file is empty beside a log that is not
 */
export function connect(path: string, options: Options = {}): Database {
  if (options.fileMustExist === true && isLogOfEmptyFile(path)) {
    throw new BetterSqlite3.SqliteError('the file is empty, and its log is not', 'SQLITE_NOTADB');
  }
  const database = connectAny(path, options);
  // SQLite's own `lower` knows the letters of ASCII alone.
  database.function('lower_all', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return database;
}
