import { copyFileSync, existsSync, linkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { syncFile, syncFolder } from '../files.ts';
import { finishCarrying, noteLoss, startCarrying } from './carrying.ts';
import { asStoreError, openDatabase } from './open.ts';
import { companions, putInPlace, removeDatabase } from './replacing.ts';
import { type Damage, type Loss, StoreError } from './store-error.ts';

export interface RecoverOptions {
  readonly nowMs: number;
}

/**
 * Opens a database with everything that another one is noted to hold for it.
 *
 * @param takes what is known to be missing and is put up with; it is told
 * @throws StoreError
 */
export function openReady(
  path: string,
  { nowMs, takes = null }: { readonly nowMs: number | undefined; readonly takes?: Loss | null },
): Database {
  const database = openDatabase(path, { takes });
  try {
    if (nowMs !== undefined) finishCarrying(database, path, nowMs);
    if (nowMs !== undefined && takes !== null) noteLoss(database, takes, nowMs);
    return database;
  } catch (error) {
    database.close();
    throw asStoreError(error, path);
  }
}

/**
 * Opens the agent's database. A damaged one is put aside, and what can be read of it is carried into a new one: a till
 * whose disk has lost a page goes on selling, and no sale is dropped without a word.
 *
 * @throws StoreError for everything but damage
 */
export function recoverDatabase(path: string, options: RecoverOptions): Database {
  try {
    return openReady(path, options);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
    const kept = openKept(path, error.damage, options);
    if (kept !== null) return kept;
    const draft = `${path}.new`;
    removeDatabase(draft);
    replaceDatabase(path, draft, {
      name: 'damaged',
      why: error.damage === 'file' ? 'damaged' : 'log_damaged',
      isCut: error.damage !== 'file' && error.damage !== 'log',
      reason: 'carried over from a damaged database',
      nowMs: options.nowMs,
    });
    return openReady(path, options);
  }
}

/** What stands there is sound as far as it goes. @returns null when it is not */
function openKept(path: string, damage: Damage, { nowMs }: RecoverOptions): Database | null {
  switch (damage) {
    case 'file':
    case 'log':
    case 'log_cut':
      return null;
    case 'log_missing':
    case 'older':
    case 'missing':
      try {
        return openReady(path, { nowMs, takes: damage });
      } catch (error) {
        if (error instanceof StoreError && error.code === 'damaged') return null;
        throw error;
      }
    default:
      return assertNever(damage);
  }
}

/**
 * Puts `draft` in the place of a database whose files get another name. At each moment a crash or a power cut finds
 * either the old one whole, or the new one with the note that the old one's operations are to be taken in.
 *
 * @param how.name part of the old one's new name
 * @param how.reason stands in the history of each operation that is taken in
 * @param how.isCut more was in the old one than its files can tell
 */
export function replaceDatabase(
  path: string,
  draft: string,
  how: {
    readonly name: string;
    readonly why?: 'restored' | 'damaged' | 'log_damaged';
    readonly isCut?: boolean;
    readonly reason: string;
    readonly nowMs: number;
  },
): void {
  const { name, nowMs, ...carry } = how;
  startCarrying(draft, { aside: keepAside(path, name, nowMs), ...carry });
  putInPlace(path, draft);
}

/** Gives the files of a database a second name in their folder. @returns that name, without the folder */
export function keepAside(path: string, why: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const name = basename(path).replace(/\.sqlite$/, '');
  const folder = dirname(path);
  let aside = `${name}.${why}-${stamp}.sqlite`;
  for (let again = 2; existsSync(join(folder, aside)); again += 1) aside = `${name}.${why}-${stamp}-${again}.sqlite`;
  for (const part of ['', ...companions]) {
    if (!existsSync(path + part)) continue;
    try {
      linkSync(path + part, join(folder, aside) + part);
    } catch {
      // A file system without links.
      copyFileSync(path + part, join(folder, aside) + part);
      syncFile(join(folder, aside) + part);
    }
  }
  // What takes the old one's place names this file.
  syncFolder(folder);
  return aside;
}
