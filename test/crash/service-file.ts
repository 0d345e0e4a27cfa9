import { copyFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

export type Row = Readonly<Record<string, unknown>>;
/** Every row of every table. */
export type Content = Readonly<Record<string, readonly Row[]>>;

/** The file and its log as they stand now: what a kill at this moment would leave. @returns the copy's path */
export function copyDataFile(path: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, basename(path));
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  return copy;
}

/** How long the log is; 0 when there is none. */
export function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last write to the log came this far only. */
export function cutLog(path: string, bytes: number): void {
  truncateSync(`${path}-wal`, bytes);
}

export function contentOf(database: BetterSqlite3.Database): Content {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => [table, database.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY 1, 2`).all()]),
  );
}

/** Looks into a data file that no program holds. Never give it the file that a program is to recover by itself. */
export function withDataFile<T>(path: string, look: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(path);
  try {
    return look(database);
  } finally {
    database.close();
  }
}

/** What SQLite itself finds wrong; nothing, in a sound file. */
export function damageIn(database: BetterSqlite3.Database): readonly unknown[] {
  const integrity = database.pragma('integrity_check', { simple: true });
  const references = database.pragma('foreign_key_check');
  return [...(integrity === 'ok' ? [] : [integrity]), ...(Array.isArray(references) ? references : [references])];
}
