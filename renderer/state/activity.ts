import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { OperationDetail } from '../../shared/till/activity-views.ts';
import type { TillApi } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';

const pageSize = 50;
/** A part may be empty and still have more behind it: so many are asked for before the cashier is asked to go on. */
const mostEmptyParts = 20;

export interface ActivityFilter {
  readonly state: OperationState | null;
  /** `2026-11-20`, or empty. */
  readonly day: string;
  readonly text: string;
}

export interface Activity {
  readonly filter: ReadonlySignal<ActivityFilter>;
  /** Newest first; null until the first part has come. */
  readonly operations: ReadonlySignal<readonly OperationView[] | null>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly detail: ReadonlySignal<OperationDetail | null>;
  readonly narrow: (part: Partial<ActivityFilter>) => Promise<void>;
  readonly more: () => Promise<void>;
  readonly open: (operationId: string) => Promise<void>;
  readonly close: () => void;
}

export function createActivity(api: TillApi): Activity {
  const filter: Signal<ActivityFilter> = signal({ state: null, day: '', text: '' });
  const operations: Signal<readonly OperationView[] | null> = signal(null);
  const hasMore = signal(false);
  const detail: Signal<OperationDetail | null> = signal(null);
  let nextRow: number | null = null;
  /** Answers to an earlier filter are not for this one. */
  let round = 0;

  const read = async (from: number | null): Promise<void> => {
    round += 1;
    const ours = round;
    let before = from;
    const { state, day, text } = filter.value;
    for (let part = 0; part < mostEmptyParts; part += 1) {
      const reply = await api.call('activity.list', {
        limit: pageSize,
        ...(state === null ? {} : { states: [state] }),
        ...(day === '' ? {} : { business_date: day }),
        ...(text.trim() === '' ? {} : { text: text.trim() }),
        ...(before === null ? {} : { before_row: before }),
      });
      if (ours !== round || !reply.ok) return;
      const found = reply.value.operations;
      before = reply.value.before_row;
      nextRow = before;
      batch(() => {
        operations.value = from === null && part === 0 ? found : [...(operations.value ?? []), ...found];
        hasMore.value = nextRow !== null;
      });
      if (found.length > 0 || before === null) return;
    }
  };

  api.onEvent((event) => {
    if (event.type !== 'operation') return;
    const { operation } = event;
    operations.value =
      operations.value?.map((other) => (other.operation_id === operation.operation_id ? operation : other)) ?? null;
  });

  return {
    filter,
    operations,
    hasMore,
    detail,
    async narrow(part) {
      filter.value = { ...filter.value, ...part };
      await read(null);
    },
    more: () => read(nextRow),
    async open(operationId) {
      const reply = await api.call('activity.show', { operation_id: operationId });
      if (reply.ok) detail.value = reply.value;
    },
    close() {
      detail.value = null;
    },
  };
}
