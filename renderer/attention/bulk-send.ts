import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillApi } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** How many the page asks for at once. The agent saves them together. */
const atOnce = 8;

/** Operations of one group that are sent again together. */
export interface Bulk {
  readonly operations: readonly OperationView[];
  readonly action: 'resend' | 'replace';
  readonly reason: string;
  readonly isReasonMissing: boolean;
  readonly stage: 'asked' | 'running' | 'stopping' | 'over';
  readonly done: number;
  readonly notDone: number;
}

export interface BulkSend {
  readonly bulk: ReadonlySignal<Bulk | null>;
  readonly begin: (operations: readonly OperationView[], action: Bulk['action']) => void;
  readonly type: (reason: string) => void;
  /** Starts the sending, stops one that runs, and closes the dialog of one that is over. */
  readonly confirm: () => Promise<void>;
  /** Stops; closes the dialog where nothing runs. Operations that were not sent again yet stay as they are. */
  readonly stop: () => void;
}

export function createBulkSend({
  api,
  onDone,
}: {
  readonly api: TillApi;
  readonly onDone: () => Promise<void>;
}): BulkSend {
  const bulk: Signal<Bulk | null> = signal(null);
  const change = (part: Partial<Bulk>): void => {
    if (bulk.value !== null) bulk.value = { ...bulk.value, ...part };
  };

  const run = async ({ operations, action, reason }: Bulk): Promise<void> => {
    for (let from = 0; from < operations.length; from += atOnce) {
      if (bulk.value?.stage !== 'running') break;
      const replies = await Promise.all(
        operations
          .slice(from, from + atOnce)
          .map(({ operation_id }) => api.call(`attention.${action}`, { operation_id, reason: reason.trim() })),
      );
      const done = replies.filter(({ ok }) => ok).length;
      const before: Pick<Bulk, 'done' | 'notDone'> = bulk.value ?? { done: 0, notDone: 0 };
      change({ done: before.done + done, notDone: before.notDone + replies.length - done });
    }
    change({ stage: 'over' });
    await onDone();
  };

  const stop = (): void => {
    if (bulk.value?.stage === 'running') change({ stage: 'stopping' });
    else if (bulk.value?.stage !== 'stopping') bulk.value = null;
  };

  return {
    bulk,
    begin(operations, action) {
      bulk.value = { operations, action, reason: '', isReasonMissing: false, stage: 'asked', done: 0, notDone: 0 };
    },
    type: (reason) => change({ reason, isReasonMissing: false }),
    async confirm() {
      const now = bulk.value;
      if (now === null) return;
      if (now.stage !== 'asked') return stop();
      if (now.reason.trim() === '') return change({ isReasonMissing: true });
      change({ stage: 'running' });
      await run(now);
    },
    stop,
  };
}
