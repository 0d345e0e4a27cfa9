import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * A checksum by which an older copy of a database file is known. It is made of four numbers in the file's header: SQLite's
 * counter of changes, the number of pages, where the list of free pages begins, and how long this list is.
 *
 * In WAL mode SQLite counts the changes up at least once in each run (see advanceGeneration). A full log makes the database
 * longer, or changes its list of free pages. So an older copy of the file has another mark.
 *
 * A mark is never 0 or 1: in the file that keeps it, these numbers mean something else.
 */
export type HeaderMark = number;

/** What is read of a header. */
export interface HeaderStand {
  readonly mark: HeaderMark;
  /** SQLite's counter of changes. */
  readonly changeCount: number;
}

const standAt = 24;
const standBytes = 16;
const leastMark = 2;

/** @param firstPage or its first 100 bytes */
export function headerStandIn(firstPage: Buffer): HeaderStand {
  return standOf(firstPage.subarray(standAt, standAt + standBytes));
}

/** @returns null where the file has no header */
export function headerStandOf(file: number): HeaderStand | null {
  const bytes = Buffer.alloc(standBytes);
  return readSync(file, bytes, 0, standBytes, standAt) === standBytes ? standOf(bytes) : null;
}

function standOf(bytes: Buffer): HeaderStand {
  return { mark: Math.max(leastMark, crc32(bytes)), changeCount: bytes.readUInt32BE(0) };
}

/**
 * Whether a log belongs to the database file beside it. SQLite copies the log into the file from the first frame on, up to
 * some commit whose frames are on the disk. So the file is either as it was when the log began, or as one of the log's
 * commits has left it. With any other file, pages of the log would be mixed with pages that do not fit.
 *
 * @param file its header, read without the log
 * @param log.headers the headers in the log's frames, in their order
 * @param log.begun the mark of the file when this log began; null when it was not noted
 */
export function isFileOfLog(
  file: HeaderStand,
  { headers, begun }: { readonly headers: readonly HeaderStand[]; readonly begun: HeaderMark | null },
): boolean {
  const first = headers.at(0);
  // SQLite counts on from the file's header, so the first header in the log is at most 1 ahead of it.
  if (first !== undefined && first.changeCount > file.changeCount + 1) return false;
  if (isAheadOf(file, headers)) return false;
  return begun === null || begun === file.mark || headers.some(({ mark }) => mark === file.mark);
}

/** Whether a file is newer than the end of a log: to copy this log into the file would undo later changes. */
export function isAheadOf(file: HeaderStand, headers: readonly HeaderStand[]): boolean {
  const last = headers.at(-1);
  return last !== undefined && last.changeCount < file.changeCount;
}
