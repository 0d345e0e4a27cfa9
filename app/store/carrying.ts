import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { z } from 'zod';
import { type CarriedOver, carryOver, suspectWaiting } from './carry-over.ts';
import { openDatabase } from './open.ts';

const carrySchema = z.object({
  /** The file whose operations are to be taken in, in the same folder. */
  aside: z.string(),
  /** Stands in the history of each of them. */
  reason: z.string(),
});
const recoverySchema = z.object({
  atMs: z.number(),
  aside: z.string(),
  carried: z.int(),
  renewed: z.int(),
  unreadable: z.int(),
});

/** That a database took another's place, and what became of the operations in that one. */
export interface Recovery extends CarriedOver {
  readonly atMs: number;
  /** Name of the file that was put aside, in the same folder. */
  readonly aside: string;
}

/** Stands in the name of a file that somebody put aside by a restore. */
export const beforeRestore = 'before-restore';

/** Whether somebody wanted it so; else the database was damaged. */
export function wasRestored({ aside }: Pick<Recovery, 'aside'>): boolean {
  return aside.includes(`.${beforeRestore}-`);
}

/** Notes in a database that another one's operations are to be taken in; a crash before that is done is no loss. */
export function startCarrying(path: string, carry: z.infer<typeof carrySchema>): void {
  const database = openDatabase(path);
  try {
    setMeta(database, 'carrying', JSON.stringify(carry));
  } finally {
    database.close();
  }
}

/** Takes in what startCarrying has noted, if anything. @param path of `into` */
export function finishCarrying(into: Database, path: string, nowMs: number): void {
  const carrying = meta(into, 'carrying');
  if (carrying === null) return;
  const { aside, reason } = carrySchema.parse(JSON.parse(carrying));
  into.transaction(() => {
    const done = carryFrom(join(dirname(path), aside), into, { atMs: nowMs, reason });
    // After the other one has had its say: a row that it knew further on is past all doubt.
    suspectWaiting(into, { atMs: nowMs, reason });
    const recovery: Recovery = { atMs: nowMs, aside, ...done };
    setMeta(into, 'recovery', JSON.stringify(recovery));
    into.prepare(`DELETE FROM meta WHERE key = 'carrying'`).run();
  })();
}

/** The last time that a database took another's place; null when it never did. */
export function lastRecovery(database: Database): Recovery | null {
  const text = meta(database, 'recovery');
  return text === null ? null : recoverySchema.parse(JSON.parse(text));
}

function carryFrom(
  path: string,
  into: Database,
  note: { readonly atMs: number; readonly reason: string },
): CarriedOver {
  let from: Database | null = null;
  try {
    // An empty file would be taken for a new database, and its log thrown away.
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) from = new BetterSqlite3(path, { readonly: true });
    if (from !== null) return carryOver(from, into, note);
  } catch {
    // Not even its list of tables can be read.
  } finally {
    from?.close();
    removeEmptyLog(path);
  }
  return { carried: 0, renewed: 0, unreadable: 0 };
}

/** To read a database in WAL mode, even only that, SQLite makes a log beside it. */
function removeEmptyLog(path: string): void {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size !== 0) return;
  for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true });
}

function meta(database: Database, key: string): string | null {
  return database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value ?? null;
}

function setMeta(database: Database, key: string, value: string): void {
  database
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}
