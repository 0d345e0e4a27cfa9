import { applicationId } from '../versions/migrate.ts';
import { pageSizes } from './write-ahead-log.ts';

/** The first hundred bytes of a database (sqlite.org/fileformat2, "The Database Header"). */
export const headerBytes = 100;

const magic = Buffer.from('SQLite format 3\0', 'latin1');

/** Fields that have one value in every database of ours, or one of few. Other values stop SQLite, or mislead it. */
const fixedFields: readonly {
  readonly name: string;
  readonly at: number;
  readonly length: 1 | 2 | 4;
  readonly allowed: readonly [number, ...number[]];
}[] = [
  { name: 'page size', at: 16, length: 2, allowed: pageSizes },
  // 2 is a write-ahead log, 1 is none: a backup. Above 2, SQLite would open it for reading only.
  { name: 'write version', at: 18, length: 1, allowed: [2, 1] },
  { name: 'read version', at: 19, length: 1, allowed: [2, 1] },
  { name: 'reserved space', at: 20, length: 1, allowed: [0] },
  { name: 'payload fractions', at: 21, length: 1, allowed: [64] },
  { name: 'payload fractions', at: 22, length: 1, allowed: [32] },
  { name: 'payload fractions', at: 23, length: 1, allowed: [32] },
  { name: 'schema format', at: 44, length: 4, allowed: [4] },
  { name: 'text encoding', at: 56, length: 4, allowed: [1] },
  { name: 'incremental vacuum', at: 64, length: 4, allowed: [1, 0] },
];

const fields = {
  pageSize: 16,
  changeCounter: 24,
  pageCount: 28,
  firstFreePage: 32,
  freePageCount: 36,
  largestRootPage: 52,
  applicationId: 68,
  pageCountValidFor: 92,
} as const;

/** @returns null for a size that no database of ours has */
export function pageBytesIn(header: Buffer): number | null {
  const pageBytes = header.readUInt16BE(fields.pageSize);
  return pageSizes.includes(pageBytes) ? pageBytes : null;
}

/** What a header says and SQLite does not check against anything. */
export interface HeaderFacts {
  /** 0: the file is not in auto-vacuum mode. */
  readonly largestRootPage: number;
}

export function headerFacts(firstPage: Buffer): HeaderFacts {
  return { largestRootPage: firstPage.readUInt32BE(fields.largestRootPage) };
}

/**
 * What in a header cannot be so; null when it may be as it was written.
 *
 * @param firstPage as the last commit has left it
 * @param pageCount of the database, without what the header says
 */
export function headerFault(
  firstPage: Buffer,
  { pageCount, readPage }: { readonly pageCount: number; readonly readPage: (page: number) => Buffer | null },
): string | null {
  if (!firstPage.subarray(0, magic.length).equals(magic)) return 'the magic string';
  // Another program's, or one that has lost its mark: its tables tell which (open.ts).
  if (firstPage.readUInt32BE(fields.applicationId) !== applicationId) return null;
  // It was read by what its log says.
  if (firstPage.readUInt16BE(fields.pageSize) !== firstPage.length) return 'the page size';
  for (const { name, at, length, allowed } of fixedFields) {
    if (!allowed.includes(firstPage.readUIntBE(at, length))) return `the ${name}`;
  }
  const isCountValid =
    firstPage.readUInt32BE(fields.changeCounter) === firstPage.readUInt32BE(fields.pageCountValidFor);
  if (isCountValid && firstPage.readUInt32BE(fields.pageCount) !== pageCount) return 'the number of pages';
  return isFreeListSound(firstPage, { pageCount, readPage }) ? null : 'the list of free pages';
}

/** SQLite writes into pages of this list without looking at them. */
function isFreeListSound(
  firstPage: Buffer,
  { pageCount, readPage }: { readonly pageCount: number; readonly readPage: (page: number) => Buffer | null },
): boolean {
  let trunk = firstPage.readUInt32BE(fields.firstFreePage);
  let left = firstPage.readUInt32BE(fields.freePageCount);
  while (trunk !== 0) {
    if (trunk > pageCount || left <= 0) return false;
    const page = readPage(trunk);
    if (page === null) return false;
    const leafCount = page.readUInt32BE(4);
    if (leafCount > page.length / 4 - 2) return false;
    for (let leaf = 0; leaf < leafCount; leaf += 1) {
      const number = page.readUInt32BE(8 + leaf * 4);
      if (number < 2 || number > pageCount) return false;
    }
    left -= leafCount + 1;
    trunk = page.readUInt32BE(0);
  }
  return left === 0;
}

/** A header with which a copy can be read, and only that: no list of free pages, no log. */
export function headerToReadBy(pageCount: number, pageBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  for (const { at, length, allowed } of fixedFields) header.writeUIntBE(allowed[0], at, length);
  header.writeUInt16BE(pageBytes, fields.pageSize);
  header.writeUInt8(1, 18);
  header.writeUInt8(1, 19);
  header.writeUInt32BE(0, 64);
  header.writeUInt32BE(applicationId, fields.applicationId);
  header.writeUInt32BE(1, fields.changeCounter);
  header.writeUInt32BE(1, fields.pageCountValidFor);
  header.writeUInt32BE(pageCount, fields.pageCount);
  header.writeUInt32BE(1, 40);
  return header;
}
