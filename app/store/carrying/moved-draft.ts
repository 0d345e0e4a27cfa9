import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { fileStamp } from '../../machine/files.ts';
import { renameSync } from '../../machine/held-files.ts';
import { doubtDatabase, openDatabase } from '../database/open.ts';
import { sizeOf } from '../files/database-files.ts';
import { putInPlace, removeDatabase } from '../files/replacing.ts';
import { countOperations } from '../tables/counts.ts';
import { carryOver } from './carry-over.ts';
import { carryFrom, correctRecovery, lastRecovery, noteRecovery } from './carrying.ts';

/** Where all that an open database holds is saved when its own files are gone. @param path of the database */
export function movingPath(path: string): string {
  return `${path}.moving`;
}

/** Where is saved what can still be read of an open database whose files were cut. */
function rescuedPath(path: string): string {
  return `${path}.rescued`;
}

/**
 * Writes all that an open database holds to a new file, and checks all of it.
 *
 * @throws StoreError, SqliteError: some of it cannot be read, or the new file cannot be written
 */
export function saveWhole(from: Database, draft: string): void {
  removeDatabase(draft);
  from.prepare('VACUUM INTO ?').run(draft);
  doubtDatabase(draft);
  openDatabase(draft).close();
}

/** Notes in a whole draft that it takes the place of a database. @param at.aside what stood there meanwhile */
export function noteMoved(draft: string, at: { readonly atMs: number; readonly aside: string | null }): void {
  const saved = openDatabase(draft);
  try {
    noteRecovery(saved, { ...at, why: 'moved', carried: countOperations(saved), renewed: 0, unreadable: 0 });
  } finally {
    saved.close();
  }
}

/** Saves row by row what can be read of an open database. Less than everything is better than nothing: it never throws. */
export function rescue(from: Database, path: string, nowMs: number): void {
  const draft = rescuedPath(path);
  try {
    removeDatabase(draft);
    const saved = openDatabase(draft);
    try {
      carryOver([from], saved, { atMs: nowMs, reason: takenIn, keepsRefusals: false, takesReferences: false });
    } finally {
      saved.close();
    }
  } catch {
    // What the files hold is read all the same.
  }
}

/** Stands in the history of what is taken in. */
const takenIn = 'carried over from what was saved while the files were gone';

/**
 * What an agent had saved when its files were gone, and had no time to put in their place.
 *
 * @param path of the database
 * @returns null when there is none, or not all of it is there
 */
export function wholeMoved(path: string): string | null {
  const draft = movingPath(path);
  if (sizeOf(draft) === 0 || lstatSync(draft).isFile() === false) return null;
  doubtDatabase(draft);
  try {
    openDatabase(draft).close();
    return draft;
  } catch {
    return null;
  }
}

/** Puts what `wholeMoved` has found in the place of a database. */
export function placeMoved(
  path: string,
  moved: string,
  { nowMs, aside }: { readonly nowMs: number; readonly aside: string | null },
): void {
  noteMoved(moved, { atMs: nowMs, aside });
  putInPlace(path, moved);
}

/** Takes in what was saved beside a database while its files were gone or cut, and tells it. */
export function takeInBeside(into: Database, path: string, nowMs: number): void {
  for (const file of [rescuedPath(path), movingPath(path)]) {
    if (sizeOf(file) === 0) continue;
    const isAllRead = takeIn(into, file, nowMs);
    if (isAllRead) {
      removeDatabase(file);
      continue;
    }
    const kept = `${basename(path).replace(/\.sqlite$/, '')}.replaced-${fileStamp(nowMs)}-part.sqlite`;
    renameSync(file, join(dirname(path), kept));
    removeDatabase(file);
  }
}

function takeIn(into: Database, file: string, nowMs: number): boolean {
  return into.transaction(() => {
    const { carried, renewed, unreadable, leftBehind } = carryFrom(file, into, {
      atMs: nowMs,
      reason: takenIn,
      keepsRefusals: false,
      takesReferences: false,
    });
    const last = lastRecovery(into);
    const noteOfNow = last?.atMs === nowMs ? last : null;
    if (carried + renewed > 0) {
      const note = noteOfNow === null ? noteRecovery : correctRecovery;
      note(into, {
        ...noteOfNow,
        atMs: nowMs,
        aside: noteOfNow?.aside ?? null,
        why: noteOfNow?.why ?? 'moved',
        carried: carried + (noteOfNow?.carried ?? 0),
        renewed: renewed + (noteOfNow?.renewed ?? 0),
        unreadable: noteOfNow === null ? unreadable : noteOfNow.unreadable,
      });
    }
    return unreadable === 0 && leftBehind.length === 0;
  })();
}
