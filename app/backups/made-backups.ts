import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Mode, modes } from '../../shared/till/views.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { connect } from '../store/connect.ts';
import { formerDeviceIds } from '../store/known-databases.ts';
import { readMeta } from '../store/meta.ts';
import { readLastBackups } from './last-backup.ts';

/** Backups of one till. */
export interface MadeBackups {
  readonly files: readonly string[];
  /** Noted when they were made, and there; but they cannot be read, or hold another till's operations. */
  readonly leftOut: readonly string[];
}

/**
 * The backups that this till has made and that are still there: in the folders that are known of, by whose operations
 * they hold. Tills may share a folder. A database that was made anew has another identity; those before it count too.
 *
 * @param folder of the settings; null when there is none
 */
export function madeBackups(dataDir: string, folder: string | null): MadeBackups {
  const noted = modes.flatMap((mode) => readLastBackups(dataDir, mode).map(({ file }) => file));
  const folders = new Set([...(folder === null ? [] : [folder]), ...noted.map((file) => dirname(file))]);
  const files = [...new Set([...noted, ...[...folders].flatMap(backupsIn)])].toSorted();
  const own = new Set(modes.flatMap((mode) => ownDeviceIds(dataDir, mode)));
  const isOwn = (file: string) => own.has(deviceOf(file) ?? '');
  return {
    files: files.filter(isOwn),
    leftOut: files.filter((file) => noted.includes(file) && existsSync(file) && !isOwn(file)),
  };
}

function ownDeviceIds(dataDir: string, mode: Mode): readonly string[] {
  const path = databasePath(dataDir, mode);
  const device = hasDatabase(dataDir, mode) ? deviceOf(path) : null;
  return [...formerDeviceIds(path), ...(device === null ? [] : [device])];
}

function backupsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.backup'))
      .map((name) => join(folder, name));
  } catch {
    // A share that is not mounted: what is on it cannot be looked at.
    return [];
  }
}

function deviceOf(path: string): string | null {
  try {
    const database = connect(path, { readonly: true, fileMustExist: true });
    try {
      return readMeta(database, 'device_id');
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
