import type { Transaction } from '../../shared/contract/transaction.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';
import type { OperationChange } from './delivery.ts';
import { differingFromRow } from './same-record.ts';
import { unchanged } from './settlement.ts';

/**
 * What a record that somebody has read says about a row that seemed to be at its end: what was applied here may have
 * been reversed at another till. Null when it says nothing new.
 */
export function newerState(
  { store, immediate }: { readonly store: OperationStore; readonly immediate: ImmediateStore },
  record: Transaction,
  nowMs: number,
): OperationChange | null {
  if (record.status !== 'reversed') return null;
  const operation = store.operationByServiceTransactionId(record.transaction_id);
  if (operation === null || operation.state !== 'applied') return null;
  const { rowId, attempts, intent, externalRef } = operation;
  const body = immediate.sent(rowId)?.body ?? null;
  if (differingFromRow({ intent, externalRef, body }, record).length > 0) return null;
  return { ...unchanged({ rowId, send: null, attempts, maybeSent: true }, nowMs), event: 'reverse' };
}
