import type { NewOperation } from '../../store/schema/new-operation.ts';
import { type Operation, wasTakenBackUnsent } from '../../store/schema/operation.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { stepWithoutSend } from './settlement.ts';

/**
 * Whether an operation has left its reference free: it is proven that the service recorded nothing of it. An operation that
 * was taken back keeps its reference: whoever asks for it again hears that it is taken back.
 */
export function isReferenceFree(operations: Pick<OperationStore, 'operation'>, operation: Operation): boolean {
  if (operation.maybeSent || operation.decision === 'take_full_payment') return false;
  if (operation.state === 'refused') return true;
  if (operation.state !== 'cancelled') return false;
  if (operation.delivery === 'immediate') return true;
  if (operation.intent !== 'reverse') return operation.error !== null;
  const original = operation.reversesRowId === null ? null : operations.operation(operation.reversesRowId);
  return original === null || (original.state !== 'reversed' && !wasTakenBackUnsent(original));
}

/**
 * Replaces the whole request of a row that left its reference free: only the new request is sent from now on. Inside a
 * transaction of the Writer.
 *
 * @returns whether the reference was free
 */
export function takeFreedReference(stores: OperationStores, standing: Operation, row: NewOperation): boolean {
  const { operations, rows } = stores;
  if (!isReferenceFree(operations, standing)) return false;
  const step = stepWithoutSend({ rowId: standing.rowId, attempts: 0, maybeSent: false }, row.savedAtMs);
  if (operations.change({ ...step, event: 'resend' }) === null) return false;
  rows.replaceRequest(standing.rowId, row);
  return true;
}
