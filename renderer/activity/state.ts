import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { OperationDetail } from '../../shared/till/activity-views.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { TextFile } from '../shell/save-file.ts';
import { createExport, type Export } from './export.ts';
import { type ActivityFilter, couldMatch, everything, isNarrowed } from './filter.ts';
import { newestRowId, noPages, type Pages, partAt, renewed, trimmed } from './pages.ts';
import { createPartReader, firstMissing } from './part-reader.ts';

/** How many parts on either side of the view keep their rows. */
const partsKept = 4;
const typingPauseMs = 200;

export interface Activity {
  readonly filter: ReadonlySignal<ActivityFilter>;
  readonly isNarrowed: () => boolean;
  /** Null until the first part has come. */
  readonly pages: ReadonlySignal<Pages | null>;
  /** Whether something is being read. */
  readonly isReading: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<TillError | null>;
  /** The number of operations that were saved since the list was read and would be at its top. */
  readonly newCount: ReadonlySignal<number>;
  /** How often each sale was tried that was refused more than once, by operation. */
  readonly tries: ReadonlySignal<ReadonlyMap<string, number>>;
  /** The current business day; null until it was asked for. */
  readonly today: Signal<string | null>;
  readonly detail: ReadonlySignal<OperationDetail | null>;
  readonly exporting: ReadonlySignal<Export | null>;
  /** Changes the filter, at once or after a pause in the typing. */
  readonly narrow: (part: Partial<ActivityFilter>, when?: 'now' | 'after_typing') => void;
  readonly readAgain: () => void;
  /** Takes the rows in view. Rows near them are read, and rows far from them are dropped. */
  readonly look: (first: number, last: number) => void;
  readonly open: (operationId: string) => Promise<void>;
  readonly close: () => void;
  /** Writes everything that passes the filter, and saves the file when it is complete. */
  readonly exportAll: (file: TextFile) => Promise<void>;
  readonly cancelExport: () => void;
  readonly leave: () => void;
}

export function createActivity({ api, clock }: { readonly api: TillApi; readonly clock: Clock }): Activity {
  const filter: Signal<ActivityFilter> = signal(everything);
  const pages: Signal<Pages | null> = signal(null);
  const isReading = signal(false);
  const failure: Signal<TillError | null> = signal(null);
  const newCount = signal(0);
  const tries: Signal<ReadonlyMap<string, number>> = signal(new Map());
  const today: Signal<string | null> = signal(null);
  const detail: Signal<OperationDetail | null> = signal(null);
  const exported = createExport(api);
  let inView: readonly [first: number, last: number] = [0, 0];
  /** Counts the filters. An answer to an earlier filter is ignored. */
  let round = 0;
  let openRound = 0;
  /** The rows that `newCount` has counted. */
  const seenNew = new Set<number>();
  /** The new rows that were told of since the list was asked for anew. */
  const newSinceAsked = new Set<number>();
  let cancelTyping: CancelTimer = () => undefined;

  const readMissing = createPartReader({
    api,
    onTries(counted) {
      if (counted.length === 0) return;
      tries.value = new Map([
        ...tries.value,
        ...counted.map(({ operation_id, count }) => [operation_id, count] as const),
      ]);
    },
  });

  const readAgain = (): void => {
    round += 1;
    isReading.value = false;
    failure.value = null;
    inView = [0, 0];
    newSinceAsked.clear();
    void fill('anew');
  };

  /** Reads the parts that the view needs, one after the other, until none is missing. */
  const fill = async (how: 'on' | 'anew'): Promise<void> => {
    if (isReading.value) return;
    const ours = round;
    isReading.value = true;
    let isAnew = how === 'anew';
    let known = isAnew ? noPages : (pages.value ?? noPages);
    for (;;) {
      const missing = firstMissing(known, inView);
      if (missing === null) break;
      const isWanted = () => ours === round;
      const read = await readMissing(missing, { pages: known, filter: filter.value, isWanted });
      if (!isWanted()) return;
      if (read.kind === 'failed') failure.value = read.error;
      if (read.kind !== 'read') break;
      const isFirst = isAnew;
      isAnew = false;
      batch(() => {
        // Changes by events during the reading are kept.
        known = read.change(isFirst ? noPages : (pages.value ?? noPages));
        pages.value = known;
        if (!isFirst) return;
        // The answer may have been made before a row that was told of meanwhile.
        const newest = newestRowId(known) ?? 0;
        seenNew.clear();
        for (const row of newSinceAsked) if (row > newest) seenNew.add(row);
        newCount.value = seenNew.size;
      });
    }
    isReading.value = false;
  };

  const endEvents = api.onEvent((event) => {
    if (event.type !== 'operation' || pages.value === null) return;
    const { operation } = event;
    // An empty list may be read again at once, because no row can move under a finger.
    if (pages.value.count === 0 && pages.value.isWhole && couldMatch(operation, filter.value, today.value))
      return readAgain();
    const newest = newestRowId(pages.value);
    if ((newest === null || operation.row_id > newest) && couldMatch(operation, filter.value, today.value)) {
      if (!seenNew.has(operation.row_id)) newCount.value += 1;
      seenNew.add(operation.row_id);
      newSinceAsked.add(operation.row_id);
      return;
    }
    pages.value = renewed(pages.value, operation);
  });

  return {
    filter,
    isNarrowed: () => isNarrowed(filter.value),
    tries,
    today,
    pages,
    isReading,
    failure,
    newCount,
    detail,
    exporting: exported.state,
    narrow(part, when = 'now') {
      filter.value = { ...filter.value, ...part };
      cancelTyping();
      if (when === 'now') readAgain();
      else cancelTyping = clock.setTimer(readAgain, typingPauseMs);
    },
    readAgain,
    look(first, last) {
      inView = [first, last];
      const now = pages.value;
      if (now === null || failure.value !== null) return;
      pages.value = trimmed(now, partAt(now, first) - partsKept, partAt(now, last) + partsKept);
      void fill('on');
    },
    async open(operationId) {
      openRound += 1;
      const ours = openRound;
      const reply = await api.call('activity.show', { operation_id: operationId });
      // Another operation was opened meanwhile.
      if (ours !== openRound) return;
      if (reply.ok) detail.value = reply.value;
      else failure.value = reply.error;
    },
    close() {
      openRound += 1;
      detail.value = null;
    },
    exportAll: (file) => exported.run(filter.value, file),
    cancelExport: exported.cancel,
    leave() {
      round += 1;
      exported.leave();
      cancelTyping();
      endEvents();
    },
  };
}
