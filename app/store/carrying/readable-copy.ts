import { closeSync, ftruncateSync, writeSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { operationStates } from '../../../shared/machines/operation.ts';
import { databaseParts } from '../../machine/database-parts.ts';
import { openSync, rmSync } from '../../machine/held-files.ts';
import { schemaTextOf } from '../../sql/schema-text.ts';
import { connect } from '../database/connect.ts';
import { headerPageBytes, pageOf, sizeOf } from '../files/database-files.ts';
import { headerBytes, headerToReadBy } from '../files/database-header.ts';
import { type LogReading, newPageBytes, readLog } from '../files/write-ahead-log.ts';
import { migrations } from '../migrations/index.ts';
import { ownColumns } from '../statements/carry-over.ts';
import { migrate } from '../versions/migrate.ts';
import { likelyPageBytes } from './likely-page-size.ts';

/** The kinds of page that the root of a table can be, and that of an index ("B-tree Pages" in fileformat2). */
const tablePages: ReadonlySet<number> = new Set([5, 13]);
const indexPages: ReadonlySet<number> = new Set([2, 10]);

/**
 * Copies of a damaged database that SQLite can read, each with another view of it: with what stands behind a break of its
 * log, and as its last sound commit left it. The header is made again, and so is the list of tables where it cannot be read.
 * The last copy has no rows. Rows that stand in the log alone can be taken in with it, where no other copy can be read. The
 * damaged files are only read.
 *
 * @param path of files that nobody has open
 * @param draft of the copy; removed again
 */
export function* readableCopies(path: string, draft: string): Generator<Database> {
  const log = readLog(`${path}-wal`);
  // The newest first: what it says of an operation is what counts.
  if (log.laterPages.size > 0) yield* opened(draft, () => copyPages(path, draft, log));
  yield* opened(draft, () => copyPages(path, draft, { ...log, laterPages: new Map() }));
  yield* withoutRows();
}

/**
 * A copy of the file of a damaged database alone, as if there was no log: pages of another time hide what an older file
 * holds. None where there is no log.
 */
export function* fileAlone(path: string, draft: string): Generator<Database> {
  const log = readLog(`${path}-wal`);
  if (log.pages.size + log.laterPages.size === 0) return;
  const none = { pageBytes: null, pageCount: null, pages: new Map(), laterPages: new Map() };
  yield* opened(draft, () => copyPages(path, draft, { ...log, ...none }));
}

/** It has the table of operations and no other: nothing else is told by it. */
export function* withoutRows(): Generator<Database> {
  const newest = newTables({ madeAt: versions.at(-1) ?? null, vacuumedAt: null }, newPageBytes);
  const table = newest.find(({ type, name }) => type === 'table' && name === 'operations');
  const database = new BetterSqlite3(':memory:');
  try {
    database.exec(table?.sql ?? '');
    yield database;
  } finally {
    database.close();
  }
}

/** Whether commits stand behind a break of the log of these files. */
export function isLogBroken(path: string): boolean {
  return readLog(`${path}-wal`).laterPages.size > 0;
}

function* opened(draft: string, copy: () => void): Generator<Database> {
  let database: Database | null = null;
  try {
    copy();
    database = openCopy(draft);
    if (database !== null) yield database;
  } finally {
    database?.close();
    for (const part of databaseParts) rmSync(draft + part, { force: true });
  }
}

function copyPages(path: string, draft: string, log: LogReading): void {
  const from = sizeOf(path) === 0 ? null : openSync(path, 'r');
  const into = openSync(draft, 'w', 0o600);
  try {
    const pageBytes = log.pageBytes ?? (from === null ? newPageBytes : likelyPageBytes(from));
    const pageCount = Math.max(
      log.pageCount ?? Math.ceil(sizeOf(path) / pageBytes),
      // A later commit may have made it longer.
      ...log.laterPages.keys(),
    );
    ftruncateSync(into, pageCount * pageBytes);
    for (let page = 1; page <= pageCount; page += 1) {
      const content =
        log.laterPages.get(page) ?? log.pages.get(page) ?? (from === null ? null : pageOf(from, page, pageBytes));
      if (content !== null) writeSync(into, content, 0, pageBytes, (page - 1) * pageBytes);
    }
    writeSync(into, headerToReadBy(pageCount, pageBytes), 0, headerBytes, 0);
  } finally {
    closeSync(into);
    if (from !== null) closeSync(from);
  }
}

/** @returns null when there is nothing in it that could be read */
function openCopy(draft: string): Database | null {
  const database = connect(draft);
  if (hasTables(database)) return database;
  database.close();
  return hasOwnTables(draft) ? connect(draft) : null;
}

// SQLite's own tables, and ours as some version or some damage has left them: drizzle describes neither.

/** Whether its operations can be asked for: they have no column that nobody knows. */
function hasTables(database: Database): boolean {
  try {
    const columns = database.prepare<[], string>(`SELECT name FROM pragma_table_info('operations')`).pluck().all();
    return columns.length > 0 && columns.every((name) => ownColumns.operations.includes(name));
  } catch {
    return false;
  }
}

/** @param draft with a header that was made again */
function pageBytesOf(draft: string): number {
  const file = openSync(draft, 'r');
  try {
    return headerPageBytes(file) ?? newPageBytes;
  } finally {
    closeSync(file);
  }
}

/** Gives a copy whose list of tables cannot be read the list that it must have had. */
function hasOwnTables(draft: string): boolean {
  const pageBytes = pageBytesOf(draft);
  for (const entries of likelyLists(draft, pageBytes)) {
    writeSchema(draft, entries, pageBytes);
    const database = connect(draft);
    try {
      if (hasTables(database) && hasOperationsIn(database)) return true;
    } finally {
      database.close();
    }
  }
  return false;
}

/** Lists of tables that fit to the roots in the file: what fits better comes first. */
function likelyLists(draft: string, pageBytes: number): readonly (readonly SchemaEntry[])[] {
  return distinct(possiblePasts.map((past) => newTables(past, pageBytes)))
    .map((entries) => entries.filter((entry) => isRootOf(draft, entry, pageBytes)))
    .filter((rooted) => rooted.some(({ name }) => name === 'operations'))
    .map((rooted) => ({ rooted, fit: fitOfRows(draft, rooted, pageBytes) }))
    .toSorted((one, other) => other.fit - one.fit || other.rooted.length - one.rooted.length)
    .map(({ rooted }) => rooted);
}

/** Many steps have moved no root. */
function distinct(lists: readonly (readonly SchemaEntry[])[]): readonly (readonly SchemaEntry[])[] {
  return [...new Map(lists.map((entries) => [JSON.stringify(entries), entries])).values()];
}

/** Too large to be looked through for each list. */
const largeTables: ReadonlySet<string> = new Set(['operations', 'operation_events']);

/** How many of the smaller tables hold rows that fit their description. The kinds of the pages may fit a wrong list, too. */
function fitOfRows(draft: string, entries: readonly SchemaEntry[], pageBytes: number): number {
  writeSchema(draft, entries, pageBytes);
  const database = connect(draft);
  try {
    return entries.filter(({ type, name }) => type === 'table' && !largeTables.has(name) && holdsRows(database, name))
      .length;
  } finally {
    database.close();
  }
}

/** An empty page would fit any table. */
function holdsRows(database: Database, name: string): boolean {
  try {
    const isSound = database.pragma(`quick_check('${name}')`, { simple: true }) === 'ok';
    return isSound && database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined;
  } catch {
    return false;
  }
}

function hasOperationsIn(database: Database): boolean {
  try {
    const states = database.prepare<[], string>('SELECT state FROM operations LIMIT 1').pluck().all();
    return states.every((state) => operationStates.some((known) => known === state));
  } catch {
    // Its first page may be the damaged one.
    return true;
  }
}

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly tableName: string;
  readonly rootPage: number;
  readonly sql: string | null;
}

/** How a database has come to its newest schema, as far as it tells where the roots of its tables are. */
interface Past {
  /** The newest step when it was made: it got all of them in one. Null: it was made when each step was taken alone. */
  readonly madeAt: number | null;
  /** The newest step when there was a VACUUM; null: never. */
  readonly vacuumedAt: number | null;
}

/** Since this step a new database gets all steps in one. */
const firstMadeAtOnce = 15;

const stepsUpTo = (newest: number) => migrations.filter(({ version }) => version <= newest);
const versions = migrations.map(({ version }) => version);
const possiblePasts: readonly Past[] = [
  ...versions.filter((version) => version >= firstMadeAtOnce).map((madeAt) => ({ madeAt, vacuumedAt: null })),
  { madeAt: null, vacuumedAt: null },
  // VACUUM puts the roots in the order of the tables, whatever was before.
  ...versions.map((vacuumedAt) => ({ madeAt: null, vacuumedAt })),
];

/**
 * The tables of a database that has nothing in it yet, and where their roots are. In auto-vacuum mode SQLite keeps roots
 * in the first pages, in the order in which they were made; a VACUUM puts those of tables before those of indexes.
 */
function newTables({ madeAt, vacuumedAt }: Past, pageBytes: number): readonly SchemaEntry[] {
  const database = new BetterSqlite3(':memory:');
  try {
    database.pragma(`page_size = ${pageBytes}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    if (madeAt !== null) {
      const text = schemaTextOf(stepsUpTo(madeAt).map(({ sql }) => sql));
      database.transaction(() => database.exec(text))();
      database.pragma(`user_version = ${madeAt}`);
    }
    if (vacuumedAt !== null) {
      migrate(database, stepsUpTo(vacuumedAt));
      database.exec('VACUUM');
    }
    migrate(database);
    return database
      .prepare<[], SchemaEntry>(
        `SELECT type, name, tbl_name AS tableName, rootpage AS rootPage, sql FROM sqlite_schema
         WHERE type = 'table' OR type = 'index'`,
      )
      .all();
  } finally {
    database.close();
  }
}

function isRootOf(draft: string, { type, sql, rootPage }: SchemaEntry, pageBytes: number): boolean {
  const file = openSync(draft, 'r');
  try {
    const kind = pageOf(file, rootPage, pageBytes)?.[0] ?? 0;
    const isIndexTree = type === 'index' || sql?.includes('WITHOUT ROWID') === true;
    return (isIndexTree ? indexPages : tablePages).has(kind);
  } finally {
    closeSync(file);
  }
}

function writeSchema(draft: string, entries: readonly SchemaEntry[], pageBytes: number): void {
  emptyFirstPage(draft, pageBytes);
  const database = connect(draft);
  try {
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    const insert = database.prepare(
      'INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)',
    );
    const tables = new Set(entries.filter(({ type }) => type === 'table').map(({ name }) => name));
    const listed = entries.filter(({ tableName }) => tables.has(tableName));
    database.transaction(() => {
      for (const { type, name, tableName, rootPage, sql } of listed) insert.run(type, name, tableName, rootPage, sql);
    })();
  } finally {
    database.close();
  }
}

/** A table's page with no row in it, behind the header. */
function emptyFirstPage(draft: string, pageBytes: number): void {
  const file = openSync(draft, 'r+');
  try {
    const page = Buffer.alloc(pageBytes - headerBytes);
    page.writeUInt8(13, 0);
    page.writeUInt16BE(pageBytes, 5);
    writeSync(file, page, 0, page.length, headerBytes);
  } finally {
    closeSync(file);
  }
}
