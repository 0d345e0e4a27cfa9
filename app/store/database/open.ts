import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { errorCode, errorText } from '../../../shared/lib/error-code.ts';
import { makePrivateFolder } from '../../machine/files.ts';
import { heldFileIn, rmSync, whileHeld, writeFileSync } from '../../machine/held-files.ts';
import { type DatabaseFiles, examineFiles } from '../files/database-files.ts';
import { forgetOpened, knownGeneration, ownerOf, wasOpened } from '../files/known-databases.ts';
import { forgetLog, removeOpenMarker } from '../files/open-marker.ts';
import { finishReplacing } from '../files/replacing.ts';
import { howToMakeWritable, unwritableFiles } from '../files/unwritable-files.ts';
import { newPageBytes } from '../files/write-ahead-log.ts';
import { foreignObjects } from '../versions/foreign-objects.ts';
import { countUpMeta, readMeta } from '../versions/meta.ts';
import { applicationId, describeNew, migrate, schemaDigest } from '../versions/migrate.ts';
import { type Loss, StoreError } from '../versions/store-error.ts';
import { hasTable, isWithoutTables } from '../versions/table-columns.ts';
import { connect } from './connect.ts';

/** What is known to be missing and is put up with. */
interface OpenOptions {
  readonly takes?: Loss | null;
  /** Written together with the opening itself: a database that counts as opened without it would tell nothing of it. */
  readonly note?: (database: Database) => void;
}

/** Up to this size the whole file is checked at the start; a larger one would keep the till waiting. */
const wholeCheckMaxBytes = 8 * 1024 * 1024;

/** So long a write waits for another program that has locked the database. */
export const busyTimeoutMs = 2_000;

/**
 * Opens the agent's database, or fails: WAL, `synchronous=FULL` (set, and read back after a write: the driver lowers
 * it silently otherwise), schema up to date, content sound.
 *
 * @throws StoreError
 */
export function openDatabase(path: string, { takes = null, note = () => undefined }: OpenOptions = {}): Database {
  try {
    return whileHeld(path, () => openOnce(path, { takes, note }));
  } catch (error) {
    throw asStoreError(error, path);
  }
}

function openOnce(path: string, { takes, note }: Required<OpenOptions>): Database {
  makePrivateFolder(dirname(path));
  finishReplacing(path);
  const files = examineFiles(path, takes);
  const database = connect(path);
  try {
    // The two PRAGMAs below write to the file, so only a new file gets them: content is checked before anything is written.
    const isNew = !hasTablesOfOurs(database, path);
    if (isNew) {
      database.pragma(`page_size = ${newPageBytes}`);
      database.pragma('auto_vacuum = INCREMENTAL');
    }
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    // What is deleted is overwritten: profiles of customers are.
    database.pragma('secure_delete = ON');
    database.pragma(`busy_timeout = ${busyTimeoutMs}`);
    checkContent(database, path, { files, isDoubted: takes === 'log_missing' });
    if (files.header !== null && takes !== 'another') checkOwner(database, path, takes);
    if (isNew) describeNew(database);
    else migrate(database);
    proveDurability(database, note);
    // Not before what is missing is noted: it is by these that the next start would find it again.
    if (files.marker === null || takes !== null) {
      forgetOpened(path);
      removeOpenMarker(path);
    } else {
      // SQLite may begin the log anew from here on. The marker itself stays: with it the note that the database is
      // open is right, and a start after a kill need not wait until the disk has another one.
      noteLogTakenIn(path);
    }
    return database;
  } catch (error) {
    const { code, damage } = asStoreError(error, path);
    if (code === 'damaged' && damage === 'file') closeAsItIs(database, path);
    else database.close();
    // A log that was lost before is told by what is noted of it, and that is left as it is.
    if (takes === null && (!(error instanceof StoreError) || error.code !== 'damaged')) noteTakenIn(path);
    throw error;
  }
}

/** The log stays as it is: taken into a damaged file, its pages would be among others, and nothing would lead to them. */
function closeAsItIs(database: Database, path: string): void {
  let reader: Database | null = null;
  try {
    reader = connect(path, { readonly: true });
    // It is there from its first look on, and only the last one takes the log in, which a reader cannot.
    reader.pragma('schema_version');
  } catch {
    // What is damaged may be what it looks at.
  }
  database.close();
  reader?.close();
}

/** With its end SQLite takes the log of a sound database in, and deletes it: the next start must not miss it. */
function noteTakenIn(path: string): void {
  if (!existsSync(`${path}-wal`)) noteLogTakenIn(path);
}

function noteLogTakenIn(path: string): void {
  try {
    forgetLog(path);
  } catch {
    // Another program holds it. What hindered an opening is said, and an open database writes it anew.
  }
}

/** @returns false for a new file @throws StoreError when the tables are another program's */
function hasTablesOfOurs(database: Database, path: string): boolean {
  const found = Number(database.pragma('application_id', { simple: true }));
  const tables = database.prepare<[], { name: string }>('SELECT name FROM sqlite_schema').all();
  if (tables.length === 0) return false;
  if (found === applicationId) return true;
  const isOurs = tables.some(({ name }) => name === 'operation_events');
  if (isOurs) throw new StoreError('damaged', 'The database has lost its mark.');
  throw new StoreError(
    'foreign',
    `${path} is a database of another program. Move it away, or use another data folder.`,
  );
}

function checkContent(
  database: Database,
  path: string,
  { files, isDoubted }: { readonly files: DatabaseFiles; readonly isDoubted: boolean },
): void {
  const doubt = doubtPath(path);
  const isFullCheck = statSync(path).size <= wholeCheckMaxBytes || isDoubted || existsSync(doubt);
  const hasMeta = hasTable(database, 'meta');
  if (!isFullCheck && !hasMeta) throw new StoreError('damaged', 'The database has lost its tables.');
  checkRoots(database, files);
  const verdict = database.pragma(isFullCheck ? 'quick_check(1)' : `quick_check('meta')`, { simple: true });
  if (verdict !== 'ok') throw new StoreError('damaged', `The database fails its integrity check: ${String(verdict)}.`);
  if (hasMeta) checkSchemaVersion(database);
  if (hasMeta) checkSchemaTexts(database);
  if (isFullCheck) rmSync(doubt, { force: true });
}

/** A wrong mark of auto-vacuum mode has SQLite overwrite pages that are in use. */
function checkRoots(database: Database, { header }: DatabaseFiles): void {
  if (header === null) return;
  const roots = database
    .prepare<[], { first: number | null; last: number | null }>(
      'SELECT min(rootpage) AS first, max(rootpage) AS last FROM sqlite_schema WHERE rootpage > 0',
    )
    .get();
  // Page 2 is where auto-vacuum mode keeps its own books.
  const expected = roots?.first === 2 ? 0 : (roots?.last ?? 0);
  if (roots?.last != null && header.largestRootPage !== expected) {
    throw new StoreError('damaged', 'The header of the database is damaged: the largest root page.');
  }
}

/** The number in the header is all that SQLite keeps; a wrong one would skip a step of the schema, or repeat one. */
function checkSchemaVersion(database: Database): void {
  const noted = metaNumber(database, 'schema_version');
  const found = Number(database.pragma('user_version', { simple: true }));
  if (noted !== null && noted !== found) {
    throw new StoreError(
      'damaged',
      `The header of the database is damaged: it says schema ${found} instead of ${noted}.`,
    );
  }
}

/**
 * A changed letter in the name of a column leaves a database that reads well, and that no statement fits; a trigger that
 * somebody has added would change sales after they were acknowledged. Rows go on in a new database, without either.
 */
function checkSchemaTexts(database: Database): void {
  const foreign = foreignObjects(database);
  const noted = readMeta(database, 'schema_digest');
  if (foreign.length > 0 || (noted !== null && noted !== schemaDigest(database))) {
    const what = foreign.length === 0 ? '' : `: ${foreign.join(', ')}`;
    throw new StoreError('damaged', `The database is not described as it was made${what}.`, { foreign });
  }
}

/** Whether the database belongs here, and is the newest that was here. */
function checkOwner(database: Database, path: string, takes: OpenOptions['takes']): void {
  const standing = standingInPlace(database, path);
  switch (standing) {
    case 'another':
      throw new StoreError('damaged', `${path}: the database of another till stands in its place.`, {
        damage: 'another',
      });
    case 'empty':
      if (takes !== null) return;
      throw new StoreError('damaged', `${path}: there is nothing in the database, and there was.`, {
        damage: 'missing',
      });
    case 'older':
      if (takes !== null) return;
      throw new StoreError('damaged', `${path}: an older copy of the database stands in its place.`, {
        damage: 'older',
      });
    case 'own':
      return;
    default:
      assertNever(standing);
  }
}

/**
 * What the database in a place is, by what is known of the one that belongs there.
 *
 * @param path of the place
 */
export function standingInPlace(database: Database, path: string): 'own' | 'empty' | 'older' | 'another' {
  // For example a file that was copied without its log while all its content was in the log. It cannot be a first start
  // that was cut off: a first start creates the tables before it notes that the database was opened.
  if (isWithoutTables(database) && wasOpened(path)) return 'empty';
  if (!hasTable(database, 'meta')) return 'own';
  // An agent has put this database here, and has not yet taken in the rows of the one before.
  if (readMeta(database, 'carrying') !== null) return 'own';
  const owner = ownerOf(path, readMeta(database, 'device_id'));
  if (owner === 'another') return 'another';
  return owner === 'own_former' || readGeneration(database) < knownGeneration(path) ? 'older' : 'own';
}

/** The number that counts up each time the database is opened, and each time it is closed in good order. */
export function readGeneration(database: Database): number {
  const hasMeta = hasTable(database, 'meta');
  return hasMeta ? (metaNumber(database, 'opens') ?? 0) : 0;
}

/**
 * Counts the generation up. It also writes `user_version` again, with the same number: this makes SQLite count up the
 * counter of changes in the file's header, by which an older copy of the file is known (see header-mark.ts).
 *
 * @param note written in the same transaction
 * @returns the new generation
 */
export function advanceGeneration(database: Database, note: (database: Database) => void = () => undefined): number {
  // SQLite counts from the header as it last read it, without its own writes since. Freeing that memory makes it read again.
  database.pragma('shrink_memory');
  database.transaction(() => {
    countUpMeta(database, 'opens');
    database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true }))}`);
    note(database);
  })();
  return readGeneration(database);
}

function metaNumber(database: Database, key: string): number | null {
  const text = readMeta(database, key);
  return text === null ? null : Number(text);
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
  const code = errorCode(error);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}

function proveDurability(database: Database, note: (database: Database) => void): void {
  advanceGeneration(database, note);
  const synchronous = database.pragma('synchronous', { simple: true });
  const journal = database.pragma('journal_mode', { simple: true });
  if (synchronous !== 2 || journal !== 'wal') {
    throw new StoreError(
      'not_durable',
      `SQLite runs with synchronous=${String(synchronous)}, journal_mode=${String(journal)}.`,
    );
  }
}

const unreachableAdvice =
  'Check that this user may read and write the file and its folder, and that the disk is not read-only. Then start again.';

/** A failure of SQLite or of the file system as ours. */
export function asStoreError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const held = heldFileIn(error);
  if (held !== null) return new StoreError('unreachable', held.message, { cause: error });
  const code = errorCode(error);
  const reason = errorText(error);
  if (code.startsWith('SQLITE_BUSY')) {
    const advice =
      'Close the program that reads the data folder (a database viewer, a backup program). Then start again.';
    return new StoreError('unreachable', `${path} is locked by another program. ${advice}`, { cause: error });
  }
  // SQLITE_ERROR while opening is a table or a column that is not there.
  const isDamaged = isDamage(error) || code === 'SQLITE_ERROR';
  if (isDamaged) return new StoreError('damaged', `${path}: ${reason}`, { cause: error });
  const unwritable = unwritableFiles(path);
  const words =
    unwritable.length === 0
      ? `${path}: ${reason}. ${unreachableAdvice}`
      : `This user may not write ${unwritable.join(', ')}. ${howToMakeWritable}, then start again.`;
  return new StoreError('unreachable', words, { cause: error });
}
