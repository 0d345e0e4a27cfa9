import { asStoreError } from '../database/open.ts';
import { hasStrayLog } from '../database/stray-log.ts';
import { examineLog } from '../files/database-files.ts';
import { StoreError } from '../versions/store-error.ts';

/**
 * Looks whether a database's log is there, whole and its own: SQLite would take any other for a shorter one, and a copy
 * would lack what was saved last.
 *
 * @param path of files that nobody has open
 * @throws StoreError
 */
export function requireWholeLog(path: string): void {
  try {
    examineLog(path);
    if (hasStrayLog(path)) throw new StoreError('damaged', `${path}: a log that is not its own lies beside it.`);
  } catch (error) {
    throw asStoreError(error, path);
  }
}
