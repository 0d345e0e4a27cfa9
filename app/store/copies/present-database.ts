import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { finishCarrying, lastRecovery, type Recovery } from '../carrying/carrying.ts';
import { connect } from '../database/connect.ts';
import { asStoreError, openDatabase } from '../database/open.ts';
import { readMeta } from '../versions/meta.ts';

/**
 * Before another one takes its place: brings what stands in a database's log into its file, and takes in what an earlier
 * restore was cut short of, which is in the file alone that this one has put aside. A damaged one stays as it is.
 *
 * @returns what came of that earlier restore; null when there was none
 * @throws StoreError when it cannot be finished now
 */
export function gatherPresent(path: string, nowMs: number): Recovery | null {
  if (!existsSync(path)) return null;
  let database: Database | null = null;
  try {
    database = openDatabase(path);
    const isCutShort = isCarrying(database);
    finishCarrying(database, path, nowMs);
    return isCutShort ? lastRecovery(database) : null;
  } catch (error) {
    const reason = asStoreError(error, path);
    if (reason.code !== 'damaged' && isCarryingAt(path)) throw reason;
    // What can be read of it is read later.
    return null;
  } finally {
    database?.close();
  }
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
