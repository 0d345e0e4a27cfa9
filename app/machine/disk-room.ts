import { errorCode, errorText } from '../../shared/lib/error-code.ts';
import { freeBytesAt, leastFreeBytes } from './disk-watch.ts';
import { isDiskError } from './files.ts';
import { heldFileIn } from './held-files.ts';

const bytesPerMegabyte = 1024 * 1024;

/** Whether the disk, or this user's share of it, has no room left. The reason may stand behind another error. */
export function isDiskFull(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const code = errorCode(current);
    if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return true;
  }
  return false;
}

/**
 * The same of an error that came from a data folder. Of a log or an index that cannot grow SQLite says no more than that it
 * could not be written.
 */
export function isDiskFullAt(dataDir: string, error: unknown): boolean {
  return isDiskFull(error) || (isWriteFailure(error) && (freeBytesAt(dataDir) ?? bytesPerMegabyte) < bytesPerMegabyte);
}

function isWriteFailure(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (errorCode(current).startsWith('SQLITE_IOERR')) return true;
  }
  return false;
}

export function megabytesIn(bytes: number | null): string {
  return bytes === null ? 'unknown' : `${Math.floor(bytes / bytesPerMegabyte)} MB`;
}

/** What store IT does about a full disk. */
export const makeRoom = `Free at least ${megabytesIn(leastFreeBytes)} on it: other programs' files first, then support bundles in support/. Never delete *.sqlite, *.sqlite-wal or secrets.json: sales and keys are in them`;

/** What a disk that takes nothing is told with to whoever started something. @returns null when it is not the disk */
export function diskTroubleInWords(error: unknown, dataDir: string): string | null {
  if (isDiskFullAt(dataDir, error)) {
    return `The disk of ${dataDir} is full (free: ${megabytesIn(freeBytesAt(dataDir))}). ${makeRoom}. Then start again.`;
  }
  const held = heldFileIn(error);
  if (held !== null) return held.message;
  if (!isDiskError(error)) return null;
  const reason = errorText(error);
  return `The data folder ${dataDir} cannot be written: ${reason}. Give this user access to the folder, on a disk that is not read-only, or name another with --data-dir.`;
}
