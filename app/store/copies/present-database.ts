import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { finishCarrying, lastRecovery, type Recovery } from '../carrying/carrying.ts';
import { connect } from '../database/connect.ts';
import { asStoreError, openDatabase } from '../database/open.ts';
import { readMeta } from '../versions/meta.ts';
import type { Damage } from '../versions/store-error.ts';

interface Present {
  /** More was in it than its files can tell. */
  readonly isCut: boolean;
  /** What came of an earlier restore that had been cut short; null when none had. */
  readonly earlier: Recovery | null;
}

/**
 * Before another one takes its place: brings what stands in a database's log into its file, and takes in what an earlier
 * restore was cut short of, which is in the file alone that this one has put aside. A damaged one stays as it is.
 *
 * @throws StoreError when an earlier restore cannot be finished now, or nobody can say now what stands there
 */
export function gatherPresent(path: string, nowMs: number): Present {
  if (!existsSync(path)) return { isCut: false, earlier: null };
  let database: Database | null = null;
  try {
    database = openDatabase(path);
    const isCutShort = isCarrying(database);
    finishCarrying(database, path, nowMs);
    const earlier = isCutShort ? lastRecovery(database) : null;
    return { isCut: earlier !== null && earlier.unreadable !== 0, earlier };
  } catch (error) {
    const reason = asStoreError(error, path);
    // Another program has it locked: what it holds, and what it lacks, is not known.
    if (reason.code === 'unreachable') throw reason;
    const isDamaged = reason.code === 'damaged';
    // The look at it may leave an empty log beside it.
    const isCut = (isDamaged && isUncounted(reason.damage)) || isCarryingAt(path);
    if (isCut && !isDamaged) throw reason;
    // What can be read of it is read later.
    return { isCut, earlier: null };
  } finally {
    database?.close();
  }
}

/** What stands in a damaged file or log is counted when it is read. */
function isUncounted(damage: Damage): boolean {
  return damage !== 'file' && damage !== 'log';
}

function isCarryingAt(path: string): boolean {
  try {
    const database = connect(path, { readonly: true, fileMustExist: true });
    try {
      return isCarrying(database);
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function isCarrying(database: Database): boolean {
  return readMeta(database, 'carrying') !== null;
}
