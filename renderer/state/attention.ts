import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillApi, TillError, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** So many are read at once; oldest first, so that none is forgotten. */
const pageSize = 50;

/** What a person may do about an operation that does not go on by itself. */
export type AttentionAction = 'resend' | 'replace' | 'write_off';

/** A decision that is being made about one of them. */
export interface Deciding {
  readonly operation: OperationView;
  readonly action: AttentionAction;
  readonly reason: string;
  readonly pin: string;
  readonly isReasonMissing: boolean;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

export interface Attention {
  /** Oldest first; null until they were read once. */
  readonly operations: ReadonlySignal<readonly OperationView[] | null>;
  readonly deciding: ReadonlySignal<Deciding | null>;
  readonly read: () => Promise<void>;
  readonly begin: (operation: OperationView, action: AttentionAction) => void;
  readonly type: (part: Partial<Pick<Deciding, 'reason' | 'pin'>>) => void;
  readonly cancel: () => void;
  readonly confirm: () => Promise<void>;
}

export function createAttention(api: TillApi): Attention {
  const operations: Signal<readonly OperationView[] | null> = signal(null);
  const deciding: Signal<Deciding | null> = signal(null);

  const read = async (): Promise<void> => {
    const reply = await api.call('attention.list', { limit: pageSize });
    if (reply.ok) operations.value = reply.value.operations;
  };

  const change = (part: Partial<Deciding>): void => {
    if (deciding.value !== null) deciding.value = { ...deciding.value, ...part };
  };

  const carryOut = ({ operation, action, reason, pin }: Deciding): Promise<TillReply<{ operation: OperationView }>> => {
    const input = { operation_id: operation.operation_id, reason: reason.trim() };
    switch (action) {
      case 'resend':
        return api.call('attention.resend', input);
      case 'replace':
        return api.call('attention.replace', input);
      case 'write_off':
        return api.call('attention.write_off', { ...input, ...(pin === '' ? {} : { pin }) });
    }
  };

  // Whatever changes may have been waiting here.
  api.onEvent((event) => {
    if (event.type !== 'operation' || operations.value === null) return;
    const isHere = operations.value.some((other) => other.operation_id === event.operation.operation_id);
    if (isHere || event.operation.state === 'refused' || event.operation.state === 'failed') void read();
  });

  return {
    operations,
    deciding,
    read,
    begin(operation, action) {
      deciding.value = { operation, action, reason: '', pin: '', isReasonMissing: false, busy: false, failure: null };
    },
    type: (part) => change({ ...part, isReasonMissing: false, failure: null }),
    cancel() {
      if (deciding.value?.busy !== true) deciding.value = null;
    },
    async confirm() {
      const now = deciding.value;
      if (now === null || now.busy) return;
      if (now.reason.trim() === '') return change({ isReasonMissing: true });
      change({ busy: true, failure: null });
      const reply = await carryOut(now);
      if (!reply.ok) return change({ busy: false, failure: reply.error, pin: '' });
      deciding.value = null;
      await read();
    },
  };
}
