import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** How many operations the sale screen shows. */
export const recentLimit = 20;

/** How the undo of one operation stands. */
export type Undo = { readonly kind: 'busy' } | { readonly kind: 'failed'; readonly error: TillError };

export interface Recent {
  /** Newest first; null until they were read once. */
  readonly operations: ReadonlySignal<readonly OperationView[] | null>;
  readonly undos: ReadonlySignal<ReadonlyMap<string, Undo>>;
  readonly undo: (operationId: string) => Promise<void>;
  /** Puts in what the agent told; gives back the newest view of that operation. */
  readonly take: (operation: OperationView) => OperationView;
}

export function createRecent(api: TillApi, onOperation: (operation: OperationView) => void): Recent {
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
    async undo(operationId) {
      if (undos.value.get(operationId)?.kind === 'busy') return;
      setUndo(operationId, { kind: 'busy' });
      const reply = await api.call('operation.cancel', { operation_id: operationId });
      setUndo(operationId, reply.ok ? null : { kind: 'failed', error: reply.error });
      if (reply.ok) take(reply.value.operation);
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
