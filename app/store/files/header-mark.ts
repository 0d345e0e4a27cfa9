import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Sum over what the header of a database says of how it stands: SQLite's counter of changes, the number of pages, and where
 * the list of free pages begins and how long it is. In WAL mode SQLite counts up once in a run at least (see
 * advanceGeneration), and a log that is full has made the database longer or has changed its list of free pages. So an
 * older copy of the file has another mark. Never 0 or 1, which mean something else in the file that keeps it.
 */
export type HeaderMark = number;

/** How a header stands. */
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
 * Whether a log goes on from the database beside it. SQLite copies the log into the file, from its first frame on, and no
 * further than to what is on the disk: so the file stands where the log began, or where one of the log's commits has left
 * it. Over another one the log's pages would stand between pages that do not fit to them.
 *
 * @param file read without its log
 * @param log.headers in its frames, in their order
 * @param log.begun mark of the file when this very log began; null when nobody has noted it
 */
export function isFileOfLog(
  file: HeaderStand,
  { headers, begun }: { readonly headers: readonly HeaderStand[]; readonly begun: HeaderMark | null },
): boolean {
  const first = headers.at(0);
  // The first of them counts from the file, and by one at most: SQLite counts from what it has read of it.
  if (first !== undefined && first.changeCount > file.changeCount + 1) return false;
  if (isAheadOf(file, headers)) return false;
  return begun === null || begun === file.mark || headers.some(({ mark }) => mark === file.mark);
}

/** Whether a file stands further on than a log leads: played into it, that log would take back what came later. */
export function isAheadOf(file: HeaderStand, headers: readonly HeaderStand[]): boolean {
  const last = headers.at(-1);
  return last !== undefined && last.changeCount < file.changeCount;
}
