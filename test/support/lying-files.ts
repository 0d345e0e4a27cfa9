import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { newPageBytes } from '../../app/store/files/write-ahead-log.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import { openStore, type Store } from '../../app/store/store.ts';
import { migrate } from '../../app/store/versions/migrate.ts';
import { newChange, newRow, rowTimeMs, type temporaryFolder } from './core-rows.ts';

const options = { random: seededRandom(3), nowMs: rowTimeMs + 60_000 };
const databaseName = 'till.sqlite';
const parts = ['', '-wal', '-shm', '-open'] as const;

/** The files of a till as a kill, or a clean end, has left them, and what was acknowledged. */
export interface LeftFiles {
  readonly folder: string;
  readonly acknowledged: readonly string[];
}

interface Sales {
  /** Each is a commit of its own. */
  readonly count: number;
  readonly pageBytes: number;
}

/** A database keeps the page size with which it was made. Those of another size than today's got one step after another. */
export function makeDatabase(path: string, pageBytes: number): void {
  const database = new BetterSqlite3(path);
  for (const setting of [`page_size = ${pageBytes}`, 'auto_vacuum = INCREMENTAL', 'journal_mode = WAL']) {
    database.pragma(setting);
  }
  if (pageBytes !== newPageBytes) migrate(database);
  database.close();
}

/** Sales in a log and in the database, as a kill leaves them. */
export async function leftByAKill(folder: ReturnType<typeof temporaryFolder>, sales: Sales): Promise<LeftFiles> {
  const path = folder.file(databaseName);
  makeDatabase(path, sales.pageBytes);
  const store = openStore(path, options);
  const acknowledged = await sellAndApply(store, sales.count);
  const left = folder.file('left');
  copyFiles(folder.path, left);
  store.close();
  return { folder: left, acknowledged };
}

/** Sales in the database alone: it was closed in good order. */
export async function leftClosed(folder: ReturnType<typeof temporaryFolder>, sales: Sales): Promise<LeftFiles> {
  const path = folder.file(databaseName);
  makeDatabase(path, sales.pageBytes);
  const store = openStore(path, options);
  const acknowledged = await sellAndApply(store, sales.count);
  store.close();
  const left = folder.file('left');
  copyFiles(folder.path, left);
  return { folder: left, acknowledged };
}

async function sellAndApply(store: Store, count: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const rowId = store.operations.takeRowId();
    await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
    acknowledged.push(`R-${rowId}`);
    if (number % 3 !== 0) continue;
    await store.writer.lazy(() => {
      store.operations.mark([rowId], { atMs: rowTimeMs, keyFingerprint: 'k1' });
      store.operations.change(newChange(rowId, 'apply', { send: 1 }));
    });
  }
  return acknowledged;
}

/** Each in a commit of its own, under references such as `ONE-1`. @returns the rows */
export async function sell(store: Store, word: string, count: number): Promise<readonly number[]> {
  const rowIds: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const rowId = store.operations.takeRowId();
    rowIds.push(rowId);
    const operationId = `${word}-0000-4000-8000-${String(number).padStart(12, '0')}`;
    await store.writer.urgent(() =>
      store.operations.insert(newRow(rowId, { operationId, externalRef: `${word}-${number}` })),
    );
  }
  return rowIds;
}

/** How many of so many sales of a word are there. */
export function heldIn(store: Store, word: string, count: number): number {
  return Array.from({ length: count }, (_, index) => `${word}-${index + 1}`).filter(
    (reference) => store.operations.operationsByReference(reference).length > 0,
  ).length;
}

/** The till of a store is killed: what it has on the disk at this moment stands there from then on. */
export function kill(store: Store, path: string): void {
  const folder = dirname(path);
  const left = join(folder, '..', 'left');
  copyFiles(folder, left);
  store.close();
  copyFiles(left, folder);
}

/** What a sound database holds, as whoever reads it beside its till sees it. */
export function referencesInFile(path: string): readonly unknown[] {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database.prepare('SELECT external_ref FROM operations ORDER BY row_id').pluck().all();
  } finally {
    database.close();
  }
}

export function copyFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const name of [...parts.map((part) => databaseName + part), 'databases.json']) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

interface Start {
  readonly missing: readonly string[];
  readonly recovery: Store['recovery'];
}

/** What `damage` makes of the files, the till starts with, takes a sale, and starts once more. */
export async function startOn(
  left: LeftFiles,
  { folder, what, damage }: { readonly folder: string; readonly what: string; readonly damage: (path: string) => void },
): Promise<Start> {
  copyFiles(left.folder, folder);
  const path = join(folder, databaseName);
  damage(path);
  const store = openOrRecover(path, options);
  const held = referencesIn(store);
  const missing = left.acknowledged.filter((reference) => !held.has(reference));
  // A row whose text has changed is there: SQLite keeps no sum of it.
  const missingCount = Math.max(0, left.acknowledged.length - held.size);
  const { recovery } = store;
  const rowId = store.operations.takeRowId();
  await store.writer.urgent(() => store.operations.insert(newRow(rowId, { externalRef: 'NEW' })));
  store.close();
  const again = openStore(path, options);
  expect(referencesIn(again).has('NEW'), `${what}: a sale is taken and kept`).toBe(true);
  again.close();
  if (missingCount > 0) {
    expect(recovery, `${what}: ${missingCount} sales are gone and nobody is told`).not.toBeNull();
    const unreadable = recovery?.unreadable ?? Number.POSITIVE_INFINITY;
    expect(unreadable, `${what}: more is missing than is told`).toBeGreaterThanOrEqual(missingCount);
  }
  return { missing, recovery };
}

function referencesIn(store: Store): ReadonlySet<string> {
  const look = store.activity.look({}, { limit: 5_000 }, store.operations.counts.read());
  return new Set(look.operations.map(({ externalRef }) => externalRef));
}

/** Changes one byte of a file. */
export function flip(bytes: Buffer, at: number, mask: number): Buffer {
  const damaged = Buffer.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ mask;
  return damaged;
}

export function bytesOf(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}
