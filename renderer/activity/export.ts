import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { activityCsvHead, activityCsvLine } from '../../shared/till/activity-csv.ts';
import type { TillAnswer, TillApi, TillError, TillReply } from '../../shared/till/api.ts';
import type { TextFile } from '../shell/save-file.ts';
import { type ActivityFilter, questionOf } from './filter.ts';

const rowsPerPart = 500;

/** A file that is being made of everything that passes the filter. */
export interface Export {
  readonly count: number;
  readonly failure: TillError | null;
}

interface Exporting {
  readonly state: ReadonlySignal<Export | null>;
  /** Writes everything that passes the filter as it is now, and saves the file when it is complete. */
  readonly run: (filter: ActivityFilter, file: TextFile) => Promise<void>;
  readonly cancel: () => void;
  /** Ignores what is still to come. What is shown stays. */
  readonly leave: () => void;
}

export function createExport(api: Pick<TillApi, 'call'>): Exporting {
  const state: Signal<Export | null> = signal(null);
  /** Counts the files. An answer for an earlier file is ignored. */
  let round = 0;

  return {
    state,
    async run(filter, file) {
      if (state.value !== null && state.value.failure === null) return;
      round += 1;
      const ours = round;
      file.write(activityCsvHead);
      let count = 0;
      let before: number | null = null;
      state.value = { count, failure: null };
      do {
        const reply: TillReply<TillAnswer<'activity.list'>> = await api.call('activity.list', {
          ...questionOf(filter, rowsPerPart, before),
          with_origins: true,
        });
        if (ours !== round) return;
        if (!reply.ok) {
          state.value = { count, failure: reply.error };
          return;
        }
        const { operations: found, origins } = reply.value;
        if (found.length > 0) file.write(found.map((view, index) => activityCsvLine(view, origins[index])).join(''));
        count += found.length;
        before = reply.value.before_row;
        state.value = { count, failure: null };
      } while (before !== null);
      state.value = null;
      file.save();
    },
    cancel() {
      round += 1;
      state.value = null;
    },
    leave() {
      round += 1;
    },
  };
}
