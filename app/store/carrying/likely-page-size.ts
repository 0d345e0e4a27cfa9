import { fstatSync, readSync } from 'node:fs';
import { headerPageBytes } from '../files/database-files.ts';
import { newPageBytes, pageSizes } from '../files/write-ahead-log.ts';

/** "B-tree Pages" in sqlite.org/fileformat2: the kinds of a page, and how long its head is. */
const pageKinds: ReadonlySet<number> = new Set([2, 5, 10, 13]);
const pageHeadBytes = 8;
const mostSamples = 2_000;
/**
 * When the smaller size is right, about as many places in the middle of a larger page look like a page's head as at its
 * beginning. At least this share is asked for, which chance alone never reaches.
 */
const leastShare = 0.25;

/**
 * The page size of a database whose header cannot be believed, among those that databases of ours have. A size is too large
 * when pages begin in the middle of it, too: there, bytes of a real page hardly ever look like a page's head.
 */
export function likelyPageBytes(file: number): number {
  const { size } = fstatSync(file);
  const [least, ...larger] = pageSizes.toSorted((one, other) => one - other);
  for (const pageBytes of larger) {
    const [whole, half] = [
      pageHeads(file, { size, from: 0, pageBytes }),
      pageHeads(file, { size, from: pageBytes / 2, pageBytes }),
    ];
    if (whole + half === 0) continue;
    return half >= leastShare * whole ? (least ?? newPageBytes) : pageBytes;
  }
  return headerPageBytes(file) ?? newPageBytes;
}

/** Counts the places, one page length apart, at which a page seems to begin. */
function pageHeads(
  file: number,
  { size, from, pageBytes }: { readonly size: number; readonly from: number; readonly pageBytes: number },
): number {
  const head = Buffer.alloc(pageHeadBytes);
  const places = Math.floor(size / pageBytes);
  const step = Math.max(1, Math.floor(places / mostSamples));
  let count = 0;
  // The first page has a header before it.
  for (let place = 1; place < places; place += step) {
    const isRead = readSync(file, head, 0, pageHeadBytes, from + place * pageBytes) === pageHeadBytes;
    if (isRead && isPageHead(head, pageBytes)) count += 1;
  }
  return count;
}

function isPageHead(head: Buffer, pageBytes: number): boolean {
  const [cellCount, contentFrom] = [head.readUInt16BE(3), head.readUInt16BE(5)];
  return pageKinds.has(head[0] ?? 0) && contentFrom <= pageBytes && contentFrom >= pageHeadBytes + 2 * cellCount;
}
