import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { foldDigits } from '../../shared/lib/digits.ts';
import { needsPerson } from '../../shared/machines/operation.ts';
import type { TillApi, TillError, TillInput, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { isBeingFoundOut, reversalUnderWay } from '../operation/standing.ts';
import { createRecentList, type RecentListParts } from './recent-list.ts';
import { recentLimit } from './recent-rows.ts';

/** The state of an operation's undo. */
export type Undo =
  /** The operation was sent already, so the screen asks once more. `reversalId` is the id of the reversal. */
  | { readonly kind: 'asked'; readonly reversalId: string }
  /** The operation is another cashier's, so the agent asks for a manager. `reversalId`: null when it is cancelled. */
  | {
      readonly kind: 'pin_asked';
      readonly reversalId: string | null;
      readonly pin: string;
      readonly error: TillError;
      /** The agent looks at the PIN. The question stays, so that no key that follows is typed elsewhere. */
      readonly isBusy: boolean;
    }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: TillError }
  /** The agent's answer was lost: it may be done. The same press once more does it once. */
  | { readonly kind: 'unanswered'; readonly reversalId: string | null; readonly error: TillError };

/** What the cashier can decide while a redemption's outcome is unknown. */
type Decision = TillInput<'operation.decide'>['decision'];

export interface Recent {
  /** Newest first; null until the list was read or the first event came. */
  readonly operations: ReadonlySignal<readonly OperationView[] | null>;
  /** The last operation that was refused after the list had shown it in another state. */
  readonly lateRefusal: ReadonlySignal<OperationView | null>;
  readonly undos: ReadonlySignal<ReadonlyMap<string, Undo>>;
  /** Undoes an operation. For an operation that was sent, the first call only asks. */
  readonly undo: (operation: OperationView) => Promise<void>;
  readonly typePin: (operationId: string, pin: string) => void;
  /** The cashier answers that the operation stays. */
  readonly keep: (operationId: string) => void;
  /** Sends the cashier's decision about a redemption whose outcome is unknown. */
  readonly decide: (operationId: string, decision: Decision) => Promise<void>;
  /** Why the agent could not save a decision, by operation. */
  readonly decideFailures: ReadonlySignal<ReadonlyMap<string, TillError>>;
  readonly find: (operationId: string) => OperationView | null;
  /** The redemptions of the last ten minutes that are completed, and all whose outcome is unknown. */
  readonly spends: () => readonly OperationView[];
  /** Puts the agent's news of an operation into the list. @returns the newest view of that operation */
  readonly take: (operation: OperationView) => OperationView;
  /** Reads the list again, when the agent has sent nothing for a while. */
  readonly read: () => Promise<void>;
}

interface RecentParts extends RecentListParts {
  readonly api: TillApi;
  readonly newId: () => string;
}

export function createRecent(
  { api, newId, ...parts }: RecentParts,
  onOperation: (operation: OperationView, before: OperationView | null) => void,
): Recent {
  const operations: Signal<readonly OperationView[] | null> = signal(null);
  const list = createRecentList(parts);
  const lateRefusal: Signal<OperationView | null> = signal(null);
  const undos: Signal<ReadonlyMap<string, Undo>> = signal(new Map());

  const decideFailures: Signal<ReadonlyMap<string, TillError>> = signal(new Map());

  const setUndo = (operationId: string, undo: Undo | null): void => {
    undos.value = withEntry(undos.value, operationId, undo);
  };
  /** What can be undone no more, or is being undone, is not asked about. A PIN that is being typed keeps its field. */
  const forgetAsked = (): void => {
    const known = operations.value ?? [];
    for (const operation of known) {
      const asked = undos.value.get(operation.operation_id);
      if (asked === undefined || asked.kind === 'pin_asked' || isBusy(asked)) continue;
      const isUnderWay = asked.kind !== 'failed' && reversalUnderWay(known, operation) !== null;
      if (operation.undo === null || isUnderWay) setUndo(operation.operation_id, null);
    }
  };
  const take = (operation: OperationView): OperationView => {
    const before = operations.value?.find((other) => other.operation_id === operation.operation_id);
    if (needsPerson(operation.state) && before !== undefined && before.state !== operation.state)
      lateRefusal.value = operation;
    operations.value = list.withNews(operations.value ?? [], [operation]);
    forgetAsked();
    onOperation(operation, before ?? null);
    return operations.value.find((other) => other.operation_id === operation.operation_id) ?? operation;
  };
  const read = async (): Promise<void> => {
    const reply = await api.call('operations.recent', { limit: recentLimit });
    if (!reply.ok) return;
    const known = operations.value ?? [];
    // An event may have overtaken the answer: the newer view of each operation stays.
    operations.value = list.withNews(known, reply.value.operations);
    forgetAsked();
    for (const operation of reply.value.operations) {
      onOperation(operation, known.find(({ operation_id }) => operation_id === operation.operation_id) ?? null);
    }
  };

  /** @returns the operations that the undo changed */
  const takeBack = async (
    operationId: string,
    { reversalId, pin }: { readonly reversalId: string | null; readonly pin: string },
  ): Promise<TillReply<OperationView[]>> => {
    const withPin = pin === '' ? {} : { pin: foldDigits(pin) };
    if (reversalId === null) {
      const reply = await api.call('operation.cancel', { operation_id: operationId, ...withPin });
      return reply.ok ? { ok: true, value: [reply.value.operation] } : reply;
    }
    const reply = await api.call('operation.reverse', {
      operation_id: reversalId,
      reverses: operationId,
      ...withPin,
    });
    return reply.ok ? { ok: true, value: [reply.value.operation, reply.value.original] } : reply;
  };

  api.onEvent((event) => {
    if (event.type === 'operation') take(event.operation);
  });

  return {
    operations,
    lateRefusal,
    undos,
    take,
    read,
    find: (operationId) => operations.value?.find((other) => other.operation_id === operationId) ?? null,
    spends: () =>
      (operations.value ?? []).filter(
        (operation) => list.isToMind(operation) && (operation.state === 'applied' || isBeingFoundOut(operation)),
      ),
    decideFailures,
    typePin(operationId, pin) {
      const now = undos.value.get(operationId);
      if (now?.kind === 'pin_asked' && !now.isBusy) setUndo(operationId, { ...now, pin });
    },
    keep(operationId) {
      if (!isBusy(undos.value.get(operationId))) setUndo(operationId, null);
    },
    async undo({ operation_id, undo }) {
      const before = undos.value.get(operation_id);
      if (isBusy(before)) return;
      if (undo === null) {
        // The operation has ended otherwise while its PIN was asked for.
        setUndo(operation_id, null);
        return;
      }
      const isSure = before?.kind === 'asked' || before?.kind === 'pin_asked' || before?.kind === 'unanswered';
      if (undo === 'reverse' && !isSure) {
        setUndo(operation_id, { kind: 'asked', reversalId: newId() });
        return;
      }
      setUndo(operation_id, before?.kind === 'pin_asked' ? { ...before, isBusy: true } : { kind: 'busy' });
      const reversalId = isSure ? before.reversalId : null;
      const reply = await takeBack(operation_id, { reversalId, pin: before?.kind === 'pin_asked' ? before.pin : '' });
      setUndo(operation_id, reply.ok ? null : notUndone(reply.error, reversalId));
      forgetAsked();
      if (reply.ok) for (const operation of reply.value) take(operation);
    },
    async decide(operationId, decision) {
      const reply = await api.call('operation.decide', { operation_id: operationId, decision });
      decideFailures.value = withEntry(decideFailures.value, operationId, reply.ok ? null : reply.error);
      if (reply.ok) take(reply.value.operation);
    },
  };
}

function notUndone(error: TillError, reversalId: string | null): Undo {
  if (error.code === 'agent_gone') return { kind: 'unanswered', reversalId, error };
  const isPinAsked = error.code === 'pin_needed' || error.code === 'pin_wrong' || error.code === 'pin_locked';
  return isPinAsked ? { kind: 'pin_asked', reversalId, pin: '', error, isBusy: false } : { kind: 'failed', error };
}

function isBusy(undo: Undo | undefined): boolean {
  return undo?.kind === 'busy' || (undo?.kind === 'pin_asked' && undo.isBusy);
}

function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value | null,
): ReadonlyMap<string, Value> {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
}

/**
 * Whether the PIN that was typed for an undo was right: the reversal is under way, though the service may not have
 * answered yet.
 */
export function isPinRight(
  { undos, operations }: Pick<Recent, 'undos' | 'operations'>,
  undone: OperationView,
): boolean {
  const undo = undos.value.get(undone.operation_id);
  const isChecked = undo?.kind === 'pin_asked' && undo.isBusy;
  return isChecked && reversalUnderWay(operations.value ?? [], undone) !== null;
}
