import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { foldDigits } from '../../shared/lib/digits.ts';
import { needsPerson, overStates } from '../../shared/machines/operation.ts';
import type { TillApi, TillError, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { asksForPin } from '../sale/entry/entry-refusal.ts';
import { type BulkSend, createBulkSend } from './bulk-send.ts';
import { type Correction, createCorrection } from './correction.ts';
import type { AttentionAction, Cause } from './groups.ts';
import { causeOf } from './groups.ts';

const rowsPerPart = 100;
/** More than anybody decides at once. The others follow when these are decided. */
export const mostRows = 2_000;
/** After an event the list is read again at most this often. */
const readAgainMs = 400;

/** A decision about an operation that needs attention, while its dialog is open. */
export interface Deciding {
  readonly operation: OperationView;
  readonly action: Exclude<AttentionAction, 'correct'>;
  readonly reason: string;
  readonly pin: string;
  /** Whether the agent has asked for a manager's PIN. */
  readonly isPinAsked: boolean;
  readonly isReasonMissing: boolean;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

export interface Attention {
  /** Oldest first; null until the list was read. */
  readonly operations: ReadonlySignal<readonly OperationView[] | null>;
  readonly failure: ReadonlySignal<TillError | null>;
  readonly chosen: ReadonlySignal<ReadonlySet<string>>;
  readonly deciding: ReadonlySignal<Deciding | null>;
  readonly correction: Correction;
  readonly bulk: BulkSend;
  readonly readAgain: () => void;
  readonly choose: (operationId: string, isChosen: boolean) => void;
  readonly chooseAlike: (cause: Cause, isChosen: boolean) => void;
  readonly begin: (operation: OperationView, action: AttentionAction) => void;
  readonly type: (part: Partial<Pick<Deciding, 'reason' | 'pin'>>) => void;
  readonly cancel: () => void;
  readonly confirm: () => Promise<void>;
  readonly leave: () => void;
}

export function createAttention({ api, clock }: { readonly api: TillApi; readonly clock: Clock }): Attention {
  const operations: Signal<readonly OperationView[] | null> = signal(null);
  const failure: Signal<TillError | null> = signal(null);
  const chosen: Signal<ReadonlySet<string>> = signal(new Set());
  const deciding: Signal<Deciding | null> = signal(null);
  let round = 0;
  let cancelTimer: CancelTimer | null = null;

  const read = async (): Promise<void> => {
    round += 1;
    const ours = round;
    const found: OperationView[] = [];
    for (;;) {
      const after = found.at(-1)?.row_id;
      const reply = await api.call('attention.list', {
        limit: rowsPerPart,
        ...(after === undefined ? {} : { after_row: after }),
      });
      if (ours !== round) return;
      if (!reply.ok) {
        failure.value = reply.error;
        return;
      }
      found.push(...reply.value.operations);
      if (reply.value.operations.length < rowsPerPart || found.length >= mostRows) break;
    }
    const still = new Set(found.map(({ operation_id }) => operation_id));
    batch(() => {
      operations.value = found;
      failure.value = null;
      chosen.value = new Set([...chosen.value].filter((id) => still.has(id)));
    });
  };
  const readSoon = (): void => {
    cancelTimer ??= clock.setTimer(() => {
      cancelTimer = null;
      void read();
    }, readAgainMs);
  };

  const change = (part: Partial<Deciding>): void => {
    if (deciding.value !== null) deciding.value = { ...deciding.value, ...part };
  };
  const carryOut = ({ operation, action, reason, pin }: Deciding): Promise<TillReply<{ operation: OperationView }>> => {
    const input = { operation_id: operation.operation_id, reason: reason.trim() };
    const withPin = { ...input, ...(pin === '' ? {} : { pin: foldDigits(pin) }) };
    switch (action) {
      // When an outcome is unknown, the agent asks the service first. What the service does not have is sent again.
      case 'ask':
      case 'resend':
        return api.call('attention.resend', withPin);
      case 'replace':
        return api.call('attention.replace', input);
      case 'keep':
        return api.call('attention.keep', input);
      case 'take_back':
        return api.call('attention.take_back', withPin);
      case 'write_off':
        return api.call('attention.write_off', withPin);
    }
  };

  const correction = createCorrection({ api, onDone: read });
  const bulk = createBulkSend({ api, onDone: read });

  // Every operation that changes may have needed attention here.
  const endEvents = api.onEvent((event) => {
    if (event.type !== 'operation' || operations.value === null) return;
    const { operation_id, state, found } = event.operation;
    const isToDecide = needsPerson(state) || found !== null;
    if (isToDecide || operations.value.some((other) => other.operation_id === operation_id)) readSoon();
  });

  return {
    operations,
    failure,
    chosen,
    deciding,
    correction,
    bulk,
    readAgain: () => void read(),
    choose(operationId, isChosen) {
      const next = new Set(chosen.value);
      if (isChosen) next.add(operationId);
      else next.delete(operationId);
      chosen.value = next;
    },
    chooseAlike(cause, isChosen) {
      const next = new Set(chosen.value);
      for (const operation of operations.value ?? []) {
        if (causeOf(operation) !== cause) continue;
        if (isChosen) next.add(operation.operation_id);
        else next.delete(operation.operation_id);
      }
      chosen.value = next;
    },
    begin(operation, action) {
      if (action === 'correct') correction.begin(operation);
      else
        deciding.value = {
          operation,
          action,
          reason: '',
          pin: '',
          isPinAsked: false,
          isReasonMissing: false,
          busy: false,
          failure: null,
        };
    },
    type(part) {
      if (deciding.value?.busy !== true) change({ ...part, isReasonMissing: false, failure: null });
    },
    cancel() {
      if (deciding.value?.busy !== true) deciding.value = null;
    },
    async confirm() {
      const now = deciding.value;
      if (now === null || now.busy) return;
      if (now.reason.trim() === '') return change({ isReasonMissing: true });
      change({ busy: true, failure: null });
      const reply = await carryOut(now);
      // The agent asked the service and found the operation there. For `ask`, this is the answer.
      const isFound = now.action === 'ask' && !reply.ok && reply.error.code === 'not_now' && !isGivenUp(reply.error);
      if (!reply.ok && !isFound) {
        const isPinAsked = now.isPinAsked || asksForPin(reply.error);
        return change({ busy: false, failure: reply.error, pin: '', isPinAsked });
      }
      deciding.value = null;
      await read();
    },
    leave() {
      round += 1;
      cancelTimer?.();
      bulk.stop();
      endEvents();
    },
  };
}

/** Whether somebody has given the operation up meanwhile. This tells nothing of what the service has. */
function isGivenUp({ details: [operation] = [] }: TillError): boolean {
  if (typeof operation !== 'object' || operation === null || !('state' in operation)) return false;
  return overStates.some((over) => over === operation.state);
}
