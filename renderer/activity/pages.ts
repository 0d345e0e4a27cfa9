import type { OperationView } from '../../shared/till/views.ts';

/**
 * A part of the list as it was read. Its rows are dropped while they are far from the view and read again when they come
 * near: what was counted keeps its place, and a hundred thousand rows weigh no more than the screen shows.
 */
interface Part {
  /** Rows below this one; null: from the newest on. */
  readonly before: number | null;
  /** Where the part after it begins; null when it is the last. */
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
  /** Everything was looked through. */
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

/** With what was read at its end. Parts in which nothing was found become one with the part before them. */
export function appended(
  pages: Pages,
  read: { readonly rows: readonly OperationView[]; readonly next: number | null },
): Pages {
  const last = pages.parts.at(-1);
  if (last !== undefined && read.rows.length === 0) {
    return pagesOf([...pages.parts.slice(0, -1), { ...last, next: read.next }]);
  }
  const part: Part = { before: last?.next ?? null, next: read.next, count: read.rows.length, rows: read.rows };
  return pagesOf([...pages.parts, part]);
}

/** With the rows of a part that had been dropped; as many as there are now. */
export function refilled(pages: Pages, at: number, rows: readonly OperationView[]): Pages {
  return pagesOf(pages.parts.map((part, index) => (index === at ? { ...part, count: rows.length, rows } : part)));
}

/** With the newest view of an operation, where its row is held. @returns the same pages when it is not */
export function renewed(pages: Pages, operation: OperationView): Pages {
  const at = partHolding(pages, operation.row_id);
  const part = pages.parts[at];
  if (part?.rows == null) return pages;
  const row = part.rows.findIndex(({ row_id }) => row_id === operation.row_id);
  if (row === -1) return pages;
  const rows = part.rows.with(row, operation);
  return { ...pages, parts: pages.parts.with(at, { ...part, rows }) };
}

/** Without the rows of all parts but those from `first` to `last`. @returns the same pages when nothing is to be dropped */
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

/** The newest row that was read; null when there is none. */
export function newestRowId(pages: Pages): number | null {
  return pages.parts[0]?.rows?.[0]?.row_id ?? null;
}

function partHolding(pages: Pages, rowId: number): number {
  return pages.parts.findIndex(
    ({ before, next }) => (before === null || rowId < before) && (next === null || rowId >= next),
  );
}

/** A row that is held, by its place in the order of saving; null where it was dropped or never read. */
export function rowOf(pages: Pages, rowId: number | null): OperationView | null {
  if (rowId === null) return null;
  return pages.parts[partHolding(pages, rowId)]?.rows?.find(({ row_id }) => row_id === rowId) ?? null;
}
