import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
    // Said to one that has content it would be a write, before anybody knows whether the content is sound.
    if (!hasTablesOfOurs(database)) database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    // What is deleted is overwritten: profiles of customers are.
    database.pragma('secure_delete = ON');
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

/** @returns false for a new file @throws StoreError when the tables are another program's */
function hasTablesOfOurs(database: Database): boolean {
  const found = Number(database.pragma('application_id', { simple: true }));
  const tables = database.prepare<[], { name: string }>('SELECT name FROM sqlite_schema').all();
  if (tables.length === 0) return false;
  if (found === applicationId) return true;
  const isOurs = tables.some(({ name }) => name === 'operation_events');
  if (isOurs) throw new StoreError('damaged', 'The database has lost its mark.');
  throw new StoreError('foreign', 'The file is a database of another program.');
}

function checkContent(database: Database, path: string): void {
  const doubt = doubtPath(path);
  const isWhole = statSync(path).size <= wholeCheckMaxBytes || existsSync(doubt);
  const hasMeta = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'meta'`).get() !== undefined;
  if (!isWhole && !hasMeta) throw new StoreError('damaged', 'The database has lost its tables.');
  const verdict = database.pragma(isWhole ? 'quick_check(1)' : `quick_check('meta')`, { simple: true });
  if (verdict !== 'ok') throw new StoreError('damaged', `The database fails its integrity check: ${String(verdict)}.`);
  if (isWhole) rmSync(doubt, { force: true });
}

/** A file beside the database that says: a page of it could not be read, so the next start has to look at all of it. */
function doubtPath(path: string): string {
  return `${path}-doubt`;
}

/** Has the next start look at the whole database, however large it is. */
export function doubtDatabase(path: string): void {
  try {
    writeFileSync(doubtPath(path), '', { mode: 0o600 });
  } catch {
    // On a disk that takes nothing there are other things to say.
  }
}

/** Whether SQLite has met a page that it cannot read. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
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
  const isDamaged = isDamage(error) || code === 'SQLITE_ERROR';
  return new StoreError(isDamaged ? 'damaged' : 'unreachable', `${path}: ${reason}`, { cause: error });
}
