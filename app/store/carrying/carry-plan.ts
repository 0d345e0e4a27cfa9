import type { CarriedRows } from './carry-over.ts';

/** What a file is to the log that lies beside it: another till's, further on than the log leads, its own and sound, or damaged. */
export type FileFit = 'strange' | 'ahead' | 'sound' | 'damaged';

/** From where rows are taken: the file without its log; both, as SQLite reads them; copies made readable; the log's own rows. */
export type CarrySource = 'file_alone' | 'as_it_is' | 'readable_copies' | 'log_alone';

/**
 * What is read of the files of a database that lies aside, in this order. The newest comes first: of what was read before,
 * an older view brings nothing back.
 */
export const carryPlans: Readonly<Record<FileFit, readonly CarrySource[]>> = {
  // What stands whole in the log comes first: how far two tills have counted says nothing of which is newer.
  strange: ['log_alone', 'file_alone'],
  ahead: ['file_alone', 'readable_copies'],
  sound: ['as_it_is', 'readable_copies', 'file_alone'],
  damaged: ['readable_copies', 'file_alone'],
};

/** Whether nothing is missing: then nothing else has to be read. */
export function isAllRead(source: CarrySource, { unreadable }: CarriedRows): boolean {
  return source === 'as_it_is' && unreadable === 0;
}

/**
 * What all of it together has brought.
 *
 * @param files.isLogBroken whether commits stand behind a break of the log
 */
export function sumOf(
  parts: ReadonlyMap<CarrySource, CarriedRows>,
  files: { readonly fit: FileFit; readonly isLogBroken: boolean },
): CarriedRows {
  const all = [...parts.values()];
  return {
    carried: all.reduce((sum, { carried }) => sum + carried, 0),
    renewed: all.reduce((sum, { renewed }) => sum + renewed, 0),
    unreadable: unreadableIn(parts, files),
    refusedRowIds: new Set(all.flatMap(({ refusedRowIds }) => [...refusedRowIds])),
    gaveWay: all.flatMap(({ gaveWay }) => gaveWay),
    leftBehind: [...new Set(all.flatMap(({ leftBehind }) => leftBehind))],
  };
}

/** How many are known to have been there and were not read; null when nobody knows how many. */
function unreadableIn(
  parts: ReadonlyMap<CarrySource, CarriedRows>,
  { fit, isLogBroken }: { readonly fit: FileFit; readonly isLogBroken: boolean },
): number | null {
  // The counters tell nothing of what the file held beyond what its log leads to.
  const holdsMore = fit === 'strange' || fit === 'ahead' || (parts.get('file_alone')?.carried ?? 0) > 0;
  // A sale's commit writes no counter: one that stood in the break has left no trace.
  if (isLogBroken || holdsMore) return null;
  return parts.get('readable_copies')?.unreadable ?? parts.get('as_it_is')?.unreadable ?? null;
}
