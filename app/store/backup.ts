import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import type { Mode } from '../../shared/till/views.ts';
import { makePrivateFolder, syncFile, syncFolder } from '../machine/files.ts';
import { beforeRestore, type Recovery } from './carrying.ts';
import { countOperations } from './counts.ts';
import { readMeta, removeMeta, writeMeta } from './meta.ts';
import { asStoreError, isDamage, openDatabase } from './open.ts';
import { deleteProfiles } from './other-databases.ts';
import { openOrRecover } from './recover.ts';
import { replaceDatabase } from './recover-database.ts';
import { removeDatabase } from './replacing.ts';
import { openStore, type StoreOptions } from './store.ts';
import { StoreError } from './store-error.ts';

/** A backup that cannot be made or used; the line says what to do. Nothing was changed. */
export class BackupError extends Error {}

export interface Backup {
  readonly operationCount: number;
  /** Null in a file that was copied by hand. */
  readonly mode: Mode | null;
  /** Null in a file that was copied by hand. */
  readonly madeAtMs: number | null;
  /** Whose operations they are; null in a file that no agent has opened. */
  readonly deviceId: string | null;
}

/**
 * Copies a database into one file of its own, while the agent writes to it or not. Checked before it gets its name, and
 * on the disk when this is done.
 *
 * @param out in a folder that is there
 * @throws BackupError, StoreError
 */
export async function backUp(
  path: string,
  out: string,
  { mode, nowMs }: { readonly mode: Mode; readonly nowMs: number },
): Promise<Backup> {
  if (existsSync(out)) throw new BackupError(`${out} exists; name a new file.`);
  const draft = `${out}.${process.pid}.part`;
  try {
    await copyDatabase(path, draft);
    chmodSync(draft, 0o600);
    const database = new BetterSqlite3(draft);
    try {
      database.pragma('journal_mode = DELETE');
      // They live a week, and what is forgotten at the till must not come back with a restore.
      deleteProfiles(database);
      writeMeta(database, 'backup_mode', mode);
      writeMeta(database, 'backup_made_at', String(nowMs));
    } finally {
      database.close();
    }
    const backup = readBackup(draft);
    syncFile(draft);
    // Fails where another program has made the file meanwhile.
    linkOrRename(draft, out);
    syncFolder(dirname(out));
    return backup;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw asStoreError(error, out);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function copyDatabase(path: string, draft: string): Promise<void> {
  const source = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    await source.backup(draft);
  } catch (error) {
    // Else it would be said of the new file.
    throw isDamage(error) ? asStoreError(error, path) : error;
  } finally {
    source.close();
  }
}

function linkOrRename(draft: string, out: string): void {
  try {
    linkSync(draft, out);
  } catch {
    if (existsSync(out)) throw new BackupError(`${out} exists; name a new file.`);
    renameSync(draft, out);
  }
}

/** What a file holds, the whole of it checked. @throws BackupError when it is no sound database of an agent */
export function readBackup(file: string): Backup {
  if (!existsSync(file)) throw new BackupError(`${file} does not exist.`);
  let database: Database | null = null;
  try {
    database = new BetterSqlite3(file, { readonly: true });
    const verdict = database.pragma('integrity_check(1)', { simple: true });
    if (verdict !== 'ok') throw new BackupError(`${file} is damaged: ${String(verdict)}.`);
    const mode = readMeta(database, 'backup_mode');
    const madeAt = readMeta(database, 'backup_made_at');
    return {
      operationCount: countOperations(database),
      mode: mode === 'production' || mode === 'sandbox' ? mode : null,
      madeAtMs: madeAt === null ? null : Number(madeAt),
      deviceId: readMeta(database, 'device_id'),
    };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `${file} is no backup of an agent: ${error instanceof Error ? error.message : String(error)}.`,
    );
  } finally {
    database?.close();
  }
}

/**
 * Puts a backup in the place of a database. What stands in the present one and not in the backup is carried over, and
 * that file is kept; whatever may have been sent since the backup is sent again as it is, or looked up. References made
 * from now on have another epoch.
 *
 * @param path the database of a data folder that the caller holds
 * @throws BackupError when the file cannot be used, StoreError
 */
export function restoreBackup(
  file: string,
  path: string,
  options: StoreOptions & { readonly nowMs: number; readonly mode: Mode },
): Recovery | null {
  const backup = readBackup(file);
  if (backup.mode !== null && backup.mode !== options.mode) {
    throw new BackupError(`${file} is a backup of ${backup.mode} mode, and this agent is in ${options.mode} mode.`);
  }
  const draft = `${path}.restoring`;
  removeDatabase(draft);
  try {
    makePrivateFolder(dirname(path));
    copyWithLog(file, draft);
    prepareDraft(draft);
    // Opened once before it counts: one that is too new, or whose schema cannot be brought up to date, changes nothing.
    openStore(draft, { random: options.random }).close();
    gatherLog(path);
    replaceDatabase(path, draft, {
      name: beforeRestore,
      why: 'restored',
      reason: 'may have been sent after the backup was made',
      nowMs: options.nowMs,
    });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'too_new') throw new BackupError(error.message);
    throw error;
  } finally {
    removeDatabase(draft);
  }
  const store = openOrRecover(path, options);
  const { recovery } = store;
  store.close();
  return recovery;
}

/** Somebody who copies a database by hand copies its log with it: the newest operations stand only there. */
function copyWithLog(file: string, draft: string): void {
  for (const part of ['', '-wal']) {
    if (!existsSync(file + part)) continue;
    copyFileSync(file + part, draft + part);
    chmodSync(draft + part, 0o600);
  }
}

/** Brings what stands in a database's log into its file. A damaged one stays as it is. */
function gatherLog(path: string): void {
  if (!existsSync(path)) return;
  try {
    openDatabase(path).close();
  } catch {
    // What can be read of it is read later.
  }
}

/** A database that does not know where it lives takes a new epoch; one that was copied by hand has profiles in it. */
function prepareDraft(path: string): void {
  const database = new BetterSqlite3(path);
  try {
    deleteProfiles(database);
    removeMeta(database, 'place');
  } finally {
    database.close();
  }
}
