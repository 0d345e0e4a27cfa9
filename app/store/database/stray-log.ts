import { copyFileSync } from '../../machine/held-files.ts';
import { isLogBeforeFile } from '../files/database-files.ts';
import { isEmptyFile } from '../files/empty-file.ts';
import { isMarkerPutHere, ownerOf } from '../files/known-databases.ts';
import { readOpenMarker } from '../files/open-marker.ts';
import { removeDatabase } from '../files/replacing.ts';
import { readLog } from '../files/write-ahead-log.ts';
import { readMeta } from '../versions/meta.ts';
import { connect } from './connect.ts';
import { readGeneration } from './open.ts';

/**
 * Whether the log beside a database is not its own, but an older one that somebody has put there. SQLite would write such
 * a log over the newest sales, and cut the file to the length that the log says.
 *
 * - After a close in good order the file has everything, and there is no log. A log beside it is foreign, except in two cases.
 *   An older database was put here with its own log: without the log it is older than the one that was closed here. Or a
 *   start was killed at once: with its log, the database is newer than without it.
 * - After a kill there is a log. This tells whether another one lies in its place (see isLogBeforeFile).
 *
 * @param path of files that nobody has open
 * @throws HeldFileError, NodeJS.ErrnoException
 */
export function hasStrayLog(path: string): boolean {
  const marker = readOpenMarker(path);
  if (marker === null || isEmptyFile(path) || isMarkerPutHere(path, marker)) return false;
  if (marker.ending.kind === 'open') return isLogBeforeFile(path, marker);
  if (readLog(`${path}-wal`).pageCount === null) return false;
  const copy = `${path}.reading`;
  removeDatabase(copy);
  try {
    copyFileSync(path, copy);
    const closed = ownGenerationOf(copy, path);
    // One that is further on was opened by a start that could not write the marker: the log is its own.
    if (closed !== marker.generation) return false;
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    const withLog = ownGenerationOf(copy, path);
    return withLog === null || withLog <= closed;
  } finally {
    removeDatabase(copy);
  }
}

/** @returns the generation of this place's database; null when the copy is another till's, or cannot be read */
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
