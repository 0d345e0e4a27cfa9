import { existsSync, linkSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { fileStamp, syncFile, syncFolder } from '../../machine/files.ts';
import { copyFileSync, renameSync, renameTogether, rmSync } from '../../machine/held-files.ts';
import { asStoreError, openDatabase } from '../database/open.ts';
import { hasStrayLog } from '../database/stray-log.ts';
import { sizeOf } from '../files/database-files.ts';
import { isEmptyFile } from '../files/empty-file.ts';
import {
  besideDatabase,
  hasKeptPlace,
  notes,
  putInPlace,
  removeDatabase,
  removeRestoreDraftsIfFree,
} from '../files/replacing.ts';
import { type Damage, type Loss, StoreError } from '../versions/store-error.ts';
import { finishCarrying, noteLoss, noteRecovery, startCarrying } from './carrying.ts';
import { placeMoved, takeInBeside, wholeMoved } from './moved-draft.ts';

export interface RecoverOptions {
  readonly nowMs: number;
  /** Told what stood in the schema that no version of the agent makes: its rows go on without it. */
  readonly onForeign?: (objects: readonly string[]) => void;
}

/**
 * Opens a database with everything that another one is noted to hold for it.
 *
 * @param how.takes what is known to be missing and is put up with; it is told
 * @param how.strayLog what putStrayLogAside has put aside, where that was done before
 * @throws StoreError
 */
export function openReady(
  path: string,
  {
    nowMs,
    takes = null,
    strayLog = nowMs === undefined ? null : putStrayLogAside(path, nowMs),
  }: { readonly nowMs: number | undefined; readonly takes?: Loss | null; readonly strayLog?: string | null },
): Database {
  return openDatabase(path, {
    takes,
    note(database) {
      if (nowMs === undefined) return;
      if (strayLog !== null) {
        const lost = { carried: 0, renewed: 0, unreadable: 0 };
        noteRecovery(database, { ...lost, why: 'stray_log', atMs: nowMs, aside: strayLog });
      }
      finishCarrying(database, path, nowMs);
      if (takes !== null) noteLoss(database, path, { why: takes, nowMs, aside: strayLog });
    },
  });
}

/**
 * Opens the agent's database. A damaged one is put aside, and what can be read of it is carried into a new one: a till
 * whose disk has lost a page goes on selling, and no sale is dropped without a word.
 *
 * @throws StoreError for everything but damage
 */
export function recoverDatabase(path: string, options: RecoverOptions): Database {
  const { nowMs } = options;
  try {
    const aside = putStrangersAside(path, nowMs);
    const moved = wholeMoved(path);
    if (moved !== null && isEmptyFile(path) && sizeOf(`${path}-wal`) === 0) placeMoved(path, moved, { nowMs, aside });
    const opened = openOrReplace(path, moved, options);
    try {
      takeInBeside(opened, path, nowMs);
      removeRestoreDraftsIfFree(path);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error, path);
  }
}

/** @param moved what an agent had saved beside it when its files were gone; null when there is none that is whole */
function openOrReplace(path: string, moved: string | null, options: RecoverOptions): Database {
  const { nowMs } = options;
  const strayLog = putStrayLogAside(path, nowMs);
  try {
    return openReady(path, { nowMs, strayLog });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'foreign' && moved !== null) {
      placeMoved(path, moved, { nowMs, aside: keepAside(path, 'replaced', nowMs) });
      return openReady(path, options);
    }
    if (error.code !== 'damaged') throw error;
    if (error.foreign.length > 0) options.onForeign?.(error.foreign);
    const kept = openKept(path, error.damage, { nowMs, strayLog });
    if (kept !== null) return kept;
    const draft = error.damage === 'file' && moved !== null ? moved : `${path}.new`;
    if (draft !== moved) removeDatabase(draft);
    replaceDatabase(path, draft, {
      name: 'damaged',
      why: error.damage === 'file' || error.damage === 'file_exchanged' ? 'damaged' : 'log_damaged',
      isCut: error.damage !== 'file' && error.damage !== 'log',
      reason: 'carried over from a damaged database',
      nowMs,
    });
    return openReady(path, options);
  }
}

/** What stands there is sound as far as it goes. @returns null when it is not */
function openKept(
  path: string,
  damage: Damage,
  kept: { readonly nowMs: number; readonly strayLog: string | null },
): Database | null {
  switch (damage) {
    case 'file':
    case 'file_exchanged':
    case 'log':
    case 'log_cut':
      return null;
    case 'log_missing':
    case 'older':
    case 'another':
    case 'missing':
      try {
        return openReady(path, { ...kept, takes: damage });
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
        // A database that has lost its log may be another till's, too, which counts more.
        return error.damage === 'another' && damage !== 'another' ? openKept(path, 'another', kept) : null;
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
 * @param how.takesReferences nobody can prove that the draft is this till's own
 * @param how.isWithdrawn where it fails it is given up, and not finished by the next opening
 */
export function replaceDatabase(
  path: string,
  draft: string,
  how: {
    readonly name: string;
    readonly why?: 'restored' | 'damaged' | 'log_damaged';
    readonly isCut?: boolean;
    readonly takesReferences?: boolean;
    readonly reason: string;
    readonly nowMs: number;
    readonly isWithdrawn?: boolean;
  },
): void {
  const { name, nowMs, isWithdrawn = false, ...carry } = how;
  const aside = keepAside(path, name, nowMs);
  try {
    startCarrying(draft, { aside, ...carry });
  } catch (error) {
    // Nothing names it, and each further try on a full disk would leave another set.
    removeKept(path, aside);
    throw error;
  }
  try {
    putInPlace(path, draft);
  } catch (error) {
    if (hasKeptPlace(path, draft, { isWithdrawn }) && standsToo(path, aside)) removeKept(path, aside);
    throw error;
  }
}

/** Whether all that has a second name has its own, too: else the second one is the last. */
function standsToo(path: string, aside: string): boolean {
  return ['', ...besideDatabase].every((part) => {
    const kept = join(dirname(path), aside) + part;
    return !existsSync(kept) || (existsSync(path + part) && sizeOf(path + part) === sizeOf(kept));
  });
}

/**
 * Puts aside what stands in the place of a database's files and is no file at all (a folder, a pipe): it would be in the
 * way of the database.
 *
 * @returns the new name of what stood in the place of the database itself, without the folder; null when nothing did
 */
export function putStrangersAside(path: string, nowMs: number): string | null {
  const parts = ['', ...besideDatabase, ...notes].filter((part) => {
    const found = lstatSync(path + part, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isSymbolicLink();
  });
  if (parts.length === 0) return null;
  const aside = freeName(path, 'no-file', nowMs).replace(/\.sqlite$/, '');
  renameTogether(parts.map((part) => [path + part, join(dirname(path), aside) + part]));
  syncFolder(dirname(path));
  return parts.includes('') ? aside : null;
}

/**
 * Puts a log aside that is not the database's own (see hasStrayLog).
 *
 * @returns its new name, without the folder; null when there is none
 * @throws StoreError
 */
export function putStrayLogAside(path: string, nowMs: number): string | null {
  try {
    if (!hasStrayLog(path)) return null;
    const aside = `${freeName(path, 'stray-log', nowMs)}-wal`;
    renameSync(`${path}-wal`, join(dirname(path), aside));
    syncFolder(dirname(path));
    return aside;
  } catch (error) {
    throw asStoreError(error, path);
  }
}

/**
 * Gives the files of a database a second name in their folder: all of them or none.
 *
 * @returns that name, without the folder
 * @throws HeldFileError, NodeJS.ErrnoException
 */
export function keepAside(path: string, why: string, nowMs: number): string {
  const folder = dirname(path);
  const aside = freeName(path, why, nowMs);
  try {
    for (const part of ['', ...besideDatabase]) {
      if (!existsSync(path + part)) continue;
      keepFile(path + part, join(folder, aside) + part);
    }
  } catch (error) {
    // A database without its log would look whole.
    removeKept(path, aside);
    throw error;
  }
  // What takes the old one's place names this file.
  syncFolder(folder);
  return aside;
}

function removeKept(path: string, aside: string): void {
  for (const part of ['', ...besideDatabase]) rmSync(join(dirname(path), aside) + part, { force: true });
}

function keepFile(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    // A file system without links, or another program has the file open.
    copyFileSync(file, name);
    syncFile(name);
  }
}

function freeName(path: string, why: string, nowMs: number): string {
  const stamp = fileStamp(nowMs);
  const name = basename(path).replace(/\.sqlite$/, '');
  const isTaken = (free: string) => ['', '-wal'].some((part) => existsSync(join(dirname(path), free) + part));
  let free = `${name}.${why}-${stamp}.sqlite`;
  for (let again = 2; isTaken(free); again += 1) free = `${name}.${why}-${stamp}-${again}.sqlite`;
  return free;
}
