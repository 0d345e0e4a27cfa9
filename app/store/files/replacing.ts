import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readTextFile, syncFile, syncFolder, writePrivateFile } from '../../machine/files.ts';
import { isNoAccess, renameTogether, rmSync } from '../../machine/held-files.ts';
import { forgetIdentity } from './known-databases.ts';
import { openMarkerPath } from './open-marker.ts';

/** What stands beside a database's own file. */
export const besideDatabase = ['-wal', '-shm', '-doubt'] as const;

/** What the agent notes about it there. */
export const notes = ['-open', '-replacing'] as const;

const replacingSchema = z.object({ draft: z.string() });

/** A file that says: the database beside it is being replaced by another one. */
function notePath(path: string): string {
  return `${path}-replacing`;
}

/**
 * Gives a closed draft the name of a database whose files are kept elsewhere. Its log must go before the draft comes: a
 * log that is left would be played into it. A cut between the two would leave the old database without its newest
 * commits, so a note on the disk has the next opening finish it.
 */
export function putInPlace(path: string, draft: string): void {
  announceReplacing(path, draft);
  finishReplacing(path);
}

/** From here on the draft is the database, whatever happens before it has its name. */
export function announceReplacing(path: string, draft: string): void {
  syncFile(draft);
  writePrivateFile(notePath(path), `${JSON.stringify({ draft: basename(draft) })}\n`);
}

/** Finishes what a crash has cut short. Before anything is read of the database. */
export function finishReplacing(path: string): void {
  const text = readTextFile(notePath(path));
  if (text === null) return;
  const draft = draftOf(path, text);
  if (draft !== null) {
    if (existsSync(draft)) giveName(draft, path);
    // Not before: where that fails, what is missing of the database in the place is known by these alone.
    forgetIdentity(path);
    rmSync(openMarkerPath(path), { force: true });
  }
  removeSetAside(path);
  // Before the note goes: of the old one's marker nobody would know whose it is.
  syncFolder(dirname(path));
  rmSync(notePath(path), { force: true });
  // Before the new one has a log: a note that came back would take it away.
  syncFolder(dirname(path));
}

/**
 * The old one's log goes out of the way under another name: where another program holds the old database or the draft, it
 * comes back, and nobody finds a database without its log.
 */
function giveName(draft: string, path: string): void {
  removeSetAside(path);
  const present = besideDatabase.filter((part) => existsSync(path + part));
  renameTogether([...present.map((part): [string, string] => [path + part, setAside(path, part)]), [draft, path]]);
  syncFolder(dirname(path));
}

function setAside(path: string, part: string): string {
  return `${path}${part}-replaced`;
}

function removeSetAside(path: string): void {
  for (const part of besideDatabase) rmSync(setAside(path, part), { force: true });
}

/** The note is put in place whole, so one that cannot be read was damaged later, when it had done its work or none. */
function draftOf(path: string, text: string): string | null {
  try {
    const { draft } = replacingSchema.parse(JSON.parse(text));
    return basename(draft) === draft ? join(dirname(path), draft) : null;
  } catch {
    return null;
  }
}

/** What a restore reads and writes until its database has its name. */
export function restoreDrafts(path: string): { readonly copy: string; readonly draft: string } {
  return { copy: `${path}.restoring-copy`, draft: `${path}.restoring` };
}

/** What a restore that was killed has left. Only where none is under way, and after finishReplacing. */
export function removeRestoreDrafts(path: string): void {
  for (const scratch of Object.values(restoreDrafts(path))) removeDatabase(scratch);
}

/** The same where nothing depends on it: what another program holds is removed at a later start. */
export function removeRestoreDraftsIfFree(path: string): void {
  try {
    removeRestoreDrafts(path);
  } catch (error) {
    if (!isNoAccess(error)) throw error;
  }
}

/**
 * With the end of a restore. One that failed leaves nothing that a later opening would finish, or finish with another
 * draft. Where the files of the database have not come back, or the note cannot be removed, it is finished then.
 */
export function endRestore(path: string): void {
  try {
    const isStill = withdrawReplacing(path);
    if (!isStill) removeRestoreDrafts(path);
  } catch (error) {
    if (!isNoAccess(error)) throw error;
  }
}

/**
 * After putting a draft in place has failed.
 *
 * @param how.isWithdrawn it is not to be finished later, where that can be helped
 * @returns whether the database has kept its name, and the draft never gets it
 */
export function hasKeptPlace(path: string, draft: string, how: { readonly isWithdrawn: boolean }): boolean {
  try {
    // A draft that is gone has the name already.
    if (!existsSync(draft) || (how.isWithdrawn && withdrawReplacing(path))) return false;
    return !existsSync(notePath(path));
  } catch {
    // What made it fail says more, and nobody knows it then.
    return false;
  }
}

/** @returns whether a draft is still to be given the name of the database */
function withdrawReplacing(path: string): boolean {
  const text = readTextFile(notePath(path));
  const draft = text === null ? null : draftOf(path, text);
  if (draft === null || !existsSync(draft)) return false;
  if (besideDatabase.some((part) => existsSync(setAside(path, part)))) return true;
  rmSync(notePath(path), { force: true });
  // Before the draft goes, and another one comes under its name.
  syncFolder(dirname(path));
  return false;
}

export function removeDatabase(path: string): void {
  for (const part of ['', ...besideDatabase, ...notes]) rmSync(path + part, { force: true });
}
