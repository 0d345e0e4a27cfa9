import type { NewOperation } from '../../store/schema/new-operation.ts';
import { type Operation, wasTakenBackUnsent } from '../../store/schema/operation.ts';
import type { ImmediateStore } from '../../store/tables/immediate-store.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import { stepWithoutSend } from './settlement.ts';

interface Stores {
  readonly store: OperationStore;
  readonly immediate: ImmediateStore;
}

/**
 * Whether an operation has left its reference free: it is proven that the service recorded nothing of it. One that was
 * taken back keeps its reference: asked for again it stays taken back.
 */
export function isReferenceFree(
  stores: { readonly store: Pick<OperationStore, 'operation'> },
  operation: Operation,
): boolean {
  if (operation.maybeSent || operation.decision === 'take_full_payment') return false;
  if (operation.state === 'refused') return true;
  if (operation.state !== 'cancelled') return false;
  if (operation.delivery === 'immediate') return true;
  if (operation.intent !== 'reverse') return operation.error !== null;
  const original = operation.reversesRowId === null ? null : stores.store.operation(operation.reversesRowId);
  return original === null || (original.state !== 'reversed' && !wasTakenBackUnsent(original));
}

/**
 * Puts a request in the place of one that left its reference free, whole: what is sent from now on is this one. Inside a
 * transaction of the Writer.
 *
 * @returns whether it was free
 */
export function takeFreedReference(stores: Stores, standing: Operation, row: NewOperation): boolean {
  if (!isReferenceFree(stores, standing)) return false;
  const { store, immediate } = stores;
  const step = stepWithoutSend({ rowId: standing.rowId, attempts: 0, maybeSent: false }, row.savedAtMs);
  if (store.change({ ...step, event: 'resend' }) === null) return false;
  immediate.replaceRequest(standing.rowId, row);
  return true;
}
