import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillApi, TillError, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** How many operations the sale screen shows. */
export const recentLimit = 20;

/** How the undo of one operation stands. */
export type Undo =
  /** It was sent already: is that really meant? `reversalId` is the operation that the answer makes. */
  | { readonly kind: 'asked'; readonly reversalId: string }
  | { readonly kind: 'busy' }
  /** It will be taken back as soon as the service has it. */
  | { readonly kind: 'under_way' }
  | { readonly kind: 'failed'; readonly error: TillError };

export interface Recent {
  /** Newest first; null until they were read once. */
  readonly operations: ReadonlySignal<readonly OperationView[] | null>;
  readonly undos: ReadonlySignal<ReadonlyMap<string, Undo>>;
  /** Takes an operation back; one that was sent asks once before. */
  readonly undo: (operation: OperationView) => Promise<void>;
  /** The cashier does not want to after all. */
  readonly keep: (operationId: string) => void;
  readonly find: (operationId: string) => OperationView | null;
  /** Puts in what the agent told; gives back the newest view of that operation. */
  readonly take: (operation: OperationView) => OperationView;
}

export function createRecent(
  api: TillApi,
  newId: () => string,
  onOperation: (operation: OperationView) => void,
): Recent {
  const operations: Signal<readonly OperationView[] | null> = signal(null);
  const undos: Signal<ReadonlyMap<string, Undo>> = signal(new Map());

  const setUndo = (operationId: string, undo: Undo | null): void => {
    const next = new Map(undos.value);
    if (undo === null) next.delete(operationId);
    else next.set(operationId, undo);
    undos.value = next;
  };
  const take = (operation: OperationView): OperationView => {
    operations.value = withOperation(operations.value ?? [], operation);
    onOperation(operation);
    return operations.value.find((other) => other.operation_id === operation.operation_id) ?? operation;
  };
  const read = async (): Promise<void> => {
    const reply = await api.call('operations.recent', { limit: recentLimit });
    if (!reply.ok) return;
    // An event may have overtaken the answer: the newer view of each operation stays.
    operations.value = reply.value.operations.reduce(withOperation, operations.value ?? []);
    for (const operation of reply.value.operations) onOperation(operation);
  };

  const takeBack = async (operationId: string, reversalId: string | null): Promise<TillReply<OperationView>> => {
    if (reversalId === null) {
      const reply = await api.call('operation.cancel', { operation_id: operationId });
      return reply.ok ? { ok: true, value: reply.value.operation } : reply;
    }
    const reply = await api.call('operation.reverse', { operation_id: reversalId, reverses: operationId });
    return reply.ok ? { ok: true, value: reply.value.original } : reply;
  };

  api.onEvent((event) => {
    if (event.type === 'operation') take(event.operation);
  });
  api.onLink((link) => {
    if (link === 'open') void read();
  });

  return {
    operations,
    undos,
    take,
    find: (operationId) => operations.value?.find((other) => other.operation_id === operationId) ?? null,
    keep: (operationId) => setUndo(operationId, null),
    async undo({ operation_id, undo }) {
      const before = undos.value.get(operation_id);
      if (undo === null || before?.kind === 'busy' || before?.kind === 'under_way') return;
      if (undo === 'reverse' && before?.kind !== 'asked') {
        setUndo(operation_id, { kind: 'asked', reversalId: newId() });
        return;
      }
      setUndo(operation_id, { kind: 'busy' });
      const reply = await takeBack(operation_id, before?.kind === 'asked' ? before.reversalId : null);
      if (!reply.ok) {
        setUndo(operation_id, { kind: 'failed', error: reply.error });
        return;
      }
      const original = take(reply.value);

      setUndo(operation_id, original.undo === null ? null : { kind: 'under_way' });
    },
  };
}

/** The list with one operation put in or brought up to date, newest first. */
export function withOperation(list: readonly OperationView[], operation: OperationView): readonly OperationView[] {
  const known = list.find((other) => other.operation_id === operation.operation_id);
  if (known !== undefined && known.updated_at > operation.updated_at) return list;
  const others = list.filter((other) => other.operation_id !== operation.operation_id);
  return [...others, operation]
    .sort(
      (left, right) =>
        right.saved_at.localeCompare(left.saved_at) || right.external_ref.localeCompare(left.external_ref),
    )
    .slice(0, recentLimit);
}
