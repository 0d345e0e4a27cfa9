import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from '../../shared/till/views.ts';
import { fileStamp } from '../machine/files.ts';
import { lookAtFolder } from '../machine/folder-look.ts';
import { rmSync } from '../machine/held-files.ts';
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
    .filter((name) => isBackupOf(join(folder, name), { deviceIds, mode }))
    // The time stands in the name. Of a clock that was wrong, what is in them tells more.
    .toSorted()
    .map((name) => ({ name, ...howFar(join(folder, name), deviceIds) }))
    .toSorted((one, other) => one.database - other.database || one.lastRowId - other.lastRowId)
    .map(({ name }) => name);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  const failures = old.flatMap((name) => failureToRemove(join(folder, name)));
  if (failures.length > 0) throw failures[0];
  return old;
}

/** One that is held must not keep the others. */
function failureToRemove(file: string): readonly unknown[] {
  try {
    rmSync(file);
    rmSync(proofPath(file), { force: true });
    return [];
  } catch (error) {
    return [error];
  }
}

function isBackupOf(
  file: string,
  { deviceIds, mode }: { readonly deviceIds: ReadonlySet<string>; readonly mode: Mode },
): boolean {
  try {
    const database = connect(file, { readonly: true, fileMustExist: true });
    try {
      return deviceIds.has(readMeta(database, 'device_id') ?? '') && readMeta(database, 'backup_mode') === mode;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/** Which of the databases it is a copy of, and up to which operation. One that cannot be read is worth least. */
function howFar(
  file: string,
  deviceIds: ReadonlySet<string>,
): { readonly database: number; readonly lastRowId: number } {
  try {
    const database = connect(file, { readonly: true, fileMustExist: true });
    try {
      return {
        database: [...deviceIds].indexOf(readMeta(database, 'device_id') ?? ''),
        lastRowId: lastRowIdOf(database),
      };
    } finally {
      database.close();
    }
  } catch {
    return { database: -1, lastRowId: 0 };
  }
}
