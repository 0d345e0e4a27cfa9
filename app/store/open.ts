import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { makePrivateFolder } from '../files.ts';
import { applicationId, migrate } from './migrate.ts';
import { StoreError } from './store-error.ts';

/** Up to this size the whole file is checked at the start; a larger one would keep the till waiting. */
const wholeCheckMaxBytes = 8 * 1024 * 1024;

/**
 * Opens the agent's database, or fails: WAL, `synchronous=FULL` (set, and read back after a write: the driver lowers
 * it silently otherwise), schema up to date, content sound.
 *
 * @throws StoreError
 */
export function openDatabase(path: string): Database {
  const database = openFile(path);
  try {
    checkOwner(database);
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('busy_timeout = 2000');
    checkContent(database, path);
    migrate(database);
    proveDurability(database);
    return database;
  } catch (error) {
    database.close();
    throw asStoreError(error, path);
  }
}

function openFile(path: string): Database {
  try {
    makePrivateFolder(dirname(path));
    // SQLite would take an empty file for a new database and throw the log away, with the sales that are only there.
    if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0) {
      throw new StoreError('damaged', `${path}: The database is empty, and its log is not.`);
    }
    return new BetterSqlite3(path);
  } catch (error) {
    throw asStoreError(error, path);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function checkOwner(database: Database): void {
  const found = Number(database.pragma('application_id', { simple: true }));
  const tables = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
  if (found !== applicationId && tables > 0) {
    throw new StoreError('damaged', 'The file is a database of another program.');
  }
}

function checkContent(database: Database, path: string): void {
  const isSmall = statSync(path).size <= wholeCheckMaxBytes;
  const hasMeta = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'meta'`).get() !== undefined;
  if (!isSmall && !hasMeta) throw new StoreError('damaged', 'The database has lost its tables.');
  const verdict = database.pragma(isSmall ? 'quick_check(1)' : `quick_check('meta')`, { simple: true });
  if (verdict !== 'ok') throw new StoreError('damaged', `The database fails its integrity check: ${String(verdict)}.`);
}

function proveDurability(database: Database): void {
  database
    .prepare(`INSERT INTO meta (key, value) VALUES ('opens', '1')
              ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`)
    .run();
  const synchronous = database.pragma('synchronous', { simple: true });
  const journal = database.pragma('journal_mode', { simple: true });
  if (synchronous !== 2 || journal !== 'wal') {
    throw new StoreError(
      'not_durable',
      `SQLite runs with synchronous=${String(synchronous)}, journal_mode=${String(journal)}.`,
    );
  }
}

/** A failure of SQLite or of the file system as ours. */
export function asStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message : String(error);
  // SQLITE_ERROR while opening is a table or a column that is not there.
  const isDamaged = code === 'SQLITE_NOTADB' || code === 'SQLITE_ERROR' || code.startsWith('SQLITE_CORRUPT');
  return new StoreError(isDamaged ? 'damaged' : 'unreachable', `${path}: ${reason}`, { cause: error });
}
