import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { differingFromRow, isOfItsVeryTime } from '../ownership/same-record.ts';
import { learnedFrom, stepWithoutSend } from './settlement.ts';

/**
 * What a record that somebody has read says about a row: what the service had accepted may be applied by now, and what
 * was applied may have been reversed at another till. Null when it says nothing new.
 */
export function newerState(
  { operations, rows }: OperationStores,
  record: Transaction,
  nowMs: number,
): OperationChange | null {
  const operation = operations.operationByServiceTransactionId(record.transaction_id);
  if (operation === null) return null;
  const learned = learnedFrom(record);
  const isNewer =
    operation.state === 'accepted'
      ? learned.event !== 'accept'
      : operation.state === 'applied' && learned.event === 'reverse';
  if (!isNewer) return null;
  const { rowId, attempts, intent, externalRef } = operation;
  const body = rows.sent(rowId)?.body ?? null;
  const row = { intent, externalRef, body };
  if (differingFromRow(row, record).length > 0) return null;
  // To tell whose record this is, the customer may have to be asked for. A poll does that: nobody waits for a poll.
  if (operation.state === 'accepted' && intent === 'earn' && isOfItsVeryTime(row, record) !== true) return null;
  const step = stepWithoutSend({ rowId, attempts, maybeSent: true }, nowMs);
  return operation.state === 'accepted' ? { ...step, ...learned } : { ...step, event: 'reverse' };
}
