import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Mode } from '../../shared/till/modes.ts';
import { fileStamp } from '../machine/files.ts';
import { lookAtFolder } from '../machine/folder-look.ts';
import { proofPath } from '../store/copies/backup-proof.ts';
import { connect } from '../store/database/connect.ts';
import { lastRowIdOf } from '../store/tables/counts.ts';
import { readMeta } from '../store/versions/meta.ts';

/** A folder that cannot take a backup; the line says why. */
export class BackupFolderError extends Error {}

/** `till1-production-20261121T030000Z.backup`: the till, the mode and the time in UTC. */
export function backupName({ deviceRef, mode, atMs }: BackupNameFacts): string {
  return `${deviceRef}-${mode}-${fileStamp(atMs)}Z.backup`;
}

interface BackupNameFacts {
  readonly deviceRef: string;
  readonly mode: Mode;
  readonly atMs: number;
}

/**
 * A backup never makes its folder: where a share is not mounted, the folder that is made instead lies on the till's own
 * disk, fills it, and is gone from sight when the share is back.
 *
 * @throws BackupFolderError
 */
export async function checkBackupFolder(folder: string): Promise<void> {
  const { fault } = await lookAtFolder(folder);
  if (fault !== null) throw new BackupFolderError(fault);
}

/**
 * Removes the oldest backups of one till and mode beyond `keep`, and never the one that was just made: the clock that named
 * it may be wrong. Only files that have a backup's name and are a backup of
 * that very till: tills with the same reference may share a folder. One that cannot be removed keeps none of the others.
 *
 * @returns the names of those that were removed
 * @throws what the file system says
 */
export function removeOldBackups(
  folder: string,
  options: {
    readonly deviceRef: string;
    /** Of those that stood in the place of its database before, the oldest first, and of its database. */
    readonly deviceIds: ReadonlySet<string>;
    readonly mode: Mode;
    readonly keep: number;
    /** The name of the one that was just made. */
    readonly newest: string;
  },
): readonly string[] {
  const { deviceRef, deviceIds, mode, keep, newest } = options;
  const start = `${deviceRef}-${mode}-`;
  const others = readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^\d{8}T\d{6}Z\.backup$/.test(name.slice(start.length)))
    .filter((name) => name !== newest)
    // The time stands in the name. Of a clock that was wrong, what is in them tells more.
    .toSorted()
    .flatMap((name) => {
      const copied = copyIn(join(folder, name), { deviceIds, mode });
      return copied === null ? [] : [{ name, ...copied }];
    })
    .toSorted((one, other) => one.database - other.database || one.lastRowId - other.lastRowId)
    .map(({ name }) => name);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  const failures = old.flatMap((name) => failureToRemove(join(folder, name)));
  if (failures.length > 0) throw failures[0];
  return old;
}

/** One that is held must not keep the others. Nobody waits for it, as no sale could be made meanwhile: it is tried again. */
function failureToRemove(file: string): readonly unknown[] {
  try {
    rmSync(file);
    rmSync(proofPath(file), { force: true });
    return [];
  } catch (error) {
    return [error];
  }
}

/** What a backup is a copy of. */
interface Copied {
  /** The place of the database among those of the till. */
  readonly database: number;
  /** Up to which operation. */
  readonly lastRowId: number;
}

/** One whose operations cannot be read is worth least. @returns null where it is none of these databases, in this mode */
function copyIn(
  file: string,
  { deviceIds, mode }: { readonly deviceIds: ReadonlySet<string>; readonly mode: Mode },
): Copied | null {
  try {
    const database = connect(file, { readonly: true, fileMustExist: true });
    try {
      const place = [...deviceIds].indexOf(readMeta(database, 'device_id') ?? '');
      if (place === -1 || readMeta(database, 'backup_mode') !== mode) return null;
      const lastRowId = lastRowIdIn(database);
      return lastRowId === null ? { database: -1, lastRowId: 0 } : { database: place, lastRowId };
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

function lastRowIdIn(database: Database): number | null {
  try {
    return lastRowIdOf(database);
  } catch {
    return null;
  }
}
