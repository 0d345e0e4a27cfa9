import { statSync } from 'node:fs';

/** Whether SQLite takes a file for an empty database, or there is none. One byte is nothing to it (`unixFileSize`). */
export function isEmptyFile(path: string): boolean {
  return bytesOf(path) <= 1;
}

/** Whether a log stands beside a file in which there is nothing. SQLite deletes it at the first look, also a reader's. */
export function isLogOfEmptyFile(path: string): boolean {
  return isEmptyFile(path) && bytesOf(`${path}-wal`) > 0;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
