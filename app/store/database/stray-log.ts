import { copyFileSync } from '../../machine/held-files.ts';
import { isLogBeforeFile } from '../files/database-files.ts';
import { isEmptyFile } from '../files/empty-file.ts';
import { ownerOf } from '../files/known-databases.ts';
import { readOpenMarker } from '../files/open-marker.ts';
import { removeDatabase } from '../files/replacing.ts';
import { readLog } from '../files/write-ahead-log.ts';
import { readMeta } from '../versions/meta.ts';
import { connect } from './connect.ts';
import { readGeneration } from './open.ts';

/**
 * Whether a log that is not a database's own stands beside it: the database was closed in good order, and all of it is in
 * its file. SQLite would write the log over the newest sales, and cut the file to the length that the log tells. An older
 * database that was put in the place with its own log is something else: without that log it is older than what was closed
 * here. So is the log of a start that was killed at once: with it the database is newer.
 *
 * After a kill, whether such a log lies in the place of the one that was there.
 *
 * @param path of files that nobody has open
 * @throws what the file system says
 */
export function hasStrayLog(path: string): boolean {
  const marker = readOpenMarker(path);
  if (marker === null || isEmptyFile(path)) return false;
  if (!marker.isClean) return isLogBeforeFile(path, marker);
  if (readLog(`${path}-wal`).pageCount === null) return false;
  const copy = `${path}.reading`;
  removeDatabase(copy);
  try {
    copyFileSync(path, copy);
    const closed = ownGenerationOf(copy, path);
    if (closed === null || closed < marker.generation) return false;
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    const withLog = ownGenerationOf(copy, path);
    return withLog === null || withLog <= closed;
  } finally {
    removeDatabase(copy);
  }
}

/** @returns null when it belongs to another place, or cannot be read */
function ownGenerationOf(copy: string, path: string): number | null {
  try {
    const database = connect(copy);
    try {
      return ownerOf(path, readMeta(database, 'device_id')) === 'own' ? readGeneration(database) : null;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
