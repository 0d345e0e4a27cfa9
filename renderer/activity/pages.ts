import type { OperationView } from '../../shared/till/views.ts';

/**
 * A part of the list as it was read. Its rows are dropped while they are far from the view, and read again when they
 * come near. A dropped part keeps its number of rows, so that the list keeps its height and stays small in memory.
 */
interface Part {
  /** The part's rows are below this row; null while nothing was found. Rows that are saved later stand above the first part. */
  readonly before: number | null;
  /** Where the next part begins; null when this is the last. */
  readonly next: number | null;
  readonly count: number;
  /** Newest first; null while they are dropped. */
  readonly rows: readonly OperationView[] | null;
}

/** The list as far as it was read. */
export interface Pages {
  readonly parts: readonly Part[];
  /** Index of each part's first row. */
  readonly starts: readonly number[];
  readonly count: number;
  /** Whether the whole list was read. */
  readonly isWhole: boolean;
}

export const noPages: Pages = { parts: [], starts: [], count: 0, isWhole: false };

function pagesOf(parts: readonly Part[]): Pages {
  const starts: number[] = [];
  let count = 0;
  for (const part of parts) {
    starts.push(count);
    count += part.count;
  }
  return { parts, starts, count, isWhole: parts.length > 0 && parts.at(-1)?.next === null };
}

/** The pages with a new part at their end. A part in which nothing was found is joined with the part before it. */
export function appended(
  pages: Pages,
  read: { readonly rows: readonly OperationView[]; readonly next: number | null },
): Pages {
  const last = pages.parts.at(-1);
  if (last !== undefined && read.rows.length === 0) {
    return pagesOf([...pages.parts.slice(0, -1), { ...last, next: read.next }]);
  }
  const newest = read.rows[0]?.row_id ?? null;
  const before = last?.next ?? (newest === null ? null : newest + 1);
  const part: Part = { before, next: read.next, count: read.rows.length, rows: read.rows };
  return pagesOf([...pages.parts, part]);
}

/** The pages with the rows of a dropped part, which may be other rows now. @param next where the next part begins */
export function refilled(
  pages: Pages,
  at: number,
  { rows, next }: { readonly rows: readonly OperationView[]; readonly next: number | null },
): Pages {
  return pagesOf(pages.parts.map((part, index) => (index === at ? { ...part, next, count: rows.length, rows } : part)));
}

/** The pages with the newest view of an operation. @returns the same pages when its row is not held */
export function renewed(pages: Pages, operation: OperationView): Pages {
  const at = partHolding(pages, operation.row_id);
  const part = pages.parts[at];
  if (part?.rows == null) return pages;
  const row = part.rows.findIndex(({ row_id }) => row_id === operation.row_id);
  if (row === -1) return pages;
  const rows = part.rows.with(row, operation);
  return { ...pages, parts: pages.parts.with(at, { ...part, rows }) };
}

/** The pages with only the rows of the parts from `first` to `last`. @returns the same pages when nothing is dropped */
export function trimmed(pages: Pages, first: number, last: number): Pages {
  const isFar = (index: number): boolean => index < first || index > last;
  if (!pages.parts.some((part, index) => part.rows !== null && isFar(index))) return pages;
  return { ...pages, parts: pages.parts.map((part, index) => (isFar(index) ? { ...part, rows: null } : part)) };
}

/** The part that a row of the list is in. */
export function partAt(pages: Pages, row: number): number {
  let low = 0;
  let high = pages.starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pages.starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A row of the list; null while it is dropped. */
export function rowAt(pages: Pages, row: number): OperationView | null {
  const at = partAt(pages, row);
  return pages.parts[at]?.rows?.[row - (pages.starts[at] ?? 0)] ?? null;
}

/** No row of the list is newer than this one, also while its part is dropped; null when there is none. */
export function newestRowId(pages: Pages): number | null {
  const before = pages.parts.find(({ count }) => count > 0)?.before ?? null;
  return before === null ? null : before - 1;
}

function partHolding(pages: Pages, rowId: number): number {
  return pages.parts.findIndex(
    ({ before, next }) => (before === null || rowId < before) && (next === null || rowId >= next),
  );
}

/** A row by its place in the order of saving; null when it was dropped or never read. */
export function rowOf(pages: Pages, rowId: number | null): OperationView | null {
  if (rowId === null) return null;
  return pages.parts[partHolding(pages, rowId)]?.rows?.find(({ row_id }) => row_id === rowId) ?? null;
}
