import { type OperationState, sumWaiting } from '../../../shared/machines/operation.ts';
import type { Mode } from '../../../shared/till/modes.ts';
import type { WaitingByMode } from '../../../shared/till/settings-views.ts';
import { databasePath } from '../../machine/data-files.ts';
import { movingPath } from '../carrying/moved-draft.ts';
import { connect } from '../database/connect.ts';
import { sizeOf } from '../files/database-files.ts';
import { isEmptyFile } from '../files/empty-file.ts';
import { wasOpened } from '../files/known-databases.ts';
import { countWaitingIn } from '../tables/counts.ts';

/** How many operations of each mode still have a way to go. @param known of modes whose database is open here */
export function waitingIn(
  dataDir: string,
  known: Readonly<Partial<Record<Mode, Readonly<Record<OperationState, number>>>>> = {},
): WaitingByMode {
  const inMode = (mode: Mode): number | null => {
    const counts = known[mode];
    return counts === undefined ? countWaiting(dataDir, mode) : sumWaiting(counts);
  };
  return { sandbox: inMode('sandbox'), production: inMode('production') };
}

/**
 * How many operations of one mode still have a way to go, read beside whoever may have its database open.
 *
 * @returns 0 where no database came to be; null where it cannot be read or is gone, and may have held some
 */
export function countWaiting(dataDir: string, mode: Mode): number | null {
  const path = databasePath(dataDir, mode);
  try {
    // No start was here, or a first one that made the file on a full disk, and no more.
    const holdsNothing = isEmptyFile(path) && sizeOf(`${path}-wal`) === 0 && sizeOf(movingPath(path)) === 0;
    if (holdsNothing && !wasOpened(path)) return 0;
    const database = connect(path, { readonly: true, fileMustExist: true });
    try {
      return countWaitingIn(database);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
