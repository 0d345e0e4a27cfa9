import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../shared/lib/error-code.ts';
import { openSync, renameSync, rmSync } from './held-files.ts';
import { askedAside } from './thread-calls.ts';

/**
 * Makes a folder and those above it that are missing, for their owner alone. Step by step: where a folder cannot be made
 * though the one above it stands (`/proc`), Node's own `recursive` never returns.
 *
 * @throws what the file system says
 */
export function makePrivateFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makePrivateFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

/** The time in a file's name, to the second and in UTC: `20261121T030000`. */
export function fileStamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether a file that was opened is the one at its path still: nobody has moved, deleted or replaced it. */
export function isStillAt(path: string, opened: Pick<Stats, 'dev' | 'ino'>): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.ino === opened.ino && found.dev === opened.dev;
}

/**
 * Puts a file in place whole or not at all, readable by its owner alone: a power cut leaves the old one.
 *
 * @throws what the file system says
 */
export function writePrivateFile(path: string, text: string): void {
  writePrivateBytes(path, Buffer.from(text));
}

/** The same for bytes. @throws what the file system says */
export function writePrivateBytes(path: string, bytes: Uint8Array): void {
  replaceFile(path, bytes, { isSynced: true });
}

/**
 * As `writePrivateFile`, for what says nothing any more once this process has ended: it does not wait for the disk, and a
 * power cut may leave it empty.
 *
 * @throws what the file system says
 */
export function writePassingFile(path: string, text: string): void {
  replaceFile(path, Buffer.from(text), { isSynced: false });
}

function replaceFile(path: string, bytes: Uint8Array, { isSynced }: { readonly isSynced: boolean }): void {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${process.pid}.new`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      // One that was left by a process of the same number keeps its own mode otherwise.
      fchmodSync(file, 0o600);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      if (isSynced) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    if (isSynced) syncFolder(dirname(path));
  } catch (error) {
    removeLeft(temporary);
    throw error;
  }
}

/** What it cannot remove is written over the next time: the failure before it says more. */
function removeLeft(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // See above.
  }
}

/** A file's new name stands in its folder, which Windows writes by itself. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') sync(path, 'r');
}

/** What stands in a file survives a power cut from now on. Not for a database that is open: see index-watch.ts. */
export function syncFile(path: string): void {
  sync(path, 'r+');
}

/** The same, and nothing else waits for it: a large file takes long on a share. */
export async function syncFileAside(path: string): Promise<void> {
  const file = openSync(path, 'r+');
  try {
    await askedAside(promisify(fsync)(file));
  } finally {
    closeSync(file);
  }
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What stands in the place of a file and is none, or is another place's. Nothing was read of it or written to it. */
export class NoFileOfItsOwnError extends Error {
  /** What stands there: `a folder`. */
  readonly what: string;

  constructor(path: string, what: string) {
    super(`${path} is ${what}, where a file belongs: delete it, and try again`);
    this.name = 'NoFileOfItsOwnError';
    this.what = what;
  }
}

/** @throws NoFileOfItsOwnError for a link: what is written there would be written into a file of somewhere else */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new NoFileOfItsOwnError(path, 'a link');
  }
}

/** Where the system has it: a link that is put there at the last moment is not followed either. */
export const noLink = constants.O_NOFOLLOW ?? 0;

/**
 * @returns null when there is no such file
 * @throws NoFileOfItsOwnError for a folder, and for a pipe or a device, which might never end; what the file system says
 */
export function readTextFile(path: string): string | null {
  try {
    // A pipe that nobody writes to is not waited for.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(file);
      if (found.isDirectory()) throw new NoFileOfItsOwnError(path, 'a folder');
      if (!found.isFile()) throw new NoFileOfItsOwnError(path, 'a pipe or a device');
      return textIn(readFileSync(file));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/**
 * UTF-8, as everything here writes it, or what a byte order mark says: Windows PowerShell writes UTF-16. Other programs
 * write that without the mark: then the first two signs tell, which are ASCII in each of these files.
 */
function textIn(bytes: Buffer): string {
  const start = bytes
    .subarray(0, 4)
    .map((byte) => (byte === 0 ? 0 : 1))
    .join();
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || start === '1,0,1,0') return new TextDecoder('utf-16le').decode(bytes);
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || start === '0,1,0,1') return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString('utf8');
}

/** Whether the reason is that nothing stands at a path. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}

const diskErrors: ReadonlySet<string> = new Set(
  'ENOSPC EDQUOT EROFS EACCES EPERM EBUSY EIO ENOTDIR EMFILE ENFILE SQLITE_FULL SQLITE_READONLY SQLITE_PERM SQLITE_BUSY'.split(
    ' ',
  ),
);

/** Whether the disk or the folder is the reason, and not what a file holds. */
export function isDiskError(error: unknown): boolean {
  const code = errorCode(error);
  return (
    diskErrors.has(code) || /^SQLITE_(CANTOPEN|IOERR_(WRITE|FSYNC|SHM|TRUNCATE|ACCESS|DELETE|LOCK|UNLOCK))/.test(code)
  );
}
