import { accessSync, constants } from 'node:fs';
import { errorCode } from '../../../shared/lib/error-code.ts';

/** What a person does about a file that may only be read. */
export const howToMakeWritable =
  process.platform === 'win32' ? 'Take the mark "read-only" off' : 'Give it the right (chmod u+w)';

/** Which of a database's files this user may not write: SQLite gives those beside it the rights of the database. */
export function unwritableFiles(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`].filter(isUnwritable);
}

/** Not one that is missing, or whose whole disk is read-only. */
function isUnwritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return ['EACCES', 'EPERM'].includes(errorCode(error));
  }
}
