import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modes } from '../../shared/till/views.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { connect } from '../store/connect.ts';
import { readMeta } from '../store/meta.ts';
import { readLastBackups } from './last-backup.ts';

/**
 * The backups that this till has made and that are still there: in the folders that are known of, by whose operations
 * they hold. Tills may share a folder.
 *
 * @param folder of the settings; null when there is none
 */
export function madeBackups(dataDir: string, folder: string | null): readonly string[] {
  const noted = modes.flatMap((mode) => readLastBackups(dataDir, mode).map(({ file }) => file));
  const folders = new Set([...(folder === null ? [] : [folder]), ...noted.map((file) => dirname(file))]);
  const files = new Set([...noted, ...[...folders].flatMap(backupsIn)]);
  const own = new Set(
    modes
      .filter((mode) => hasDatabase(dataDir, mode))
      .map((mode) => deviceOf(databasePath(dataDir, mode)))
      .filter((device) => device !== null),
  );
  return [...files].filter((file) => own.has(deviceOf(file) ?? '')).toSorted();
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
