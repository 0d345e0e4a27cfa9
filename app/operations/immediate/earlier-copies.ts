import { isInTheBooks } from '../../../shared/machines/operation-intents.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';

/**
 * An enrollment, a code, a hold or its release may be asked for again, each time as a row of its own. The service's
 * answer to the last row also answers the earlier ones with the same bytes, whose own answers were lost. Inside a
 * transaction of the Writer.
 *
 * @param change what has become of the row, with the service's answer to it
 * @returns the rows that are settled by it
 */
export function settleEarlierCopies(
  stores: OperationStores,
  change: OperationChange,
  answer: unknown,
): readonly number[] {
  const { operations, rows } = stores;
  const isApplied = change.event === 'apply';
  if (!isApplied && change.event !== 'refuse') return [];
  const row = rows.sent(change.rowId);
  if (row === null || isInTheBooks(row.intent)) return [];
  const settled: number[] = [];
  for (const { rowId, attempts } of rows.unknownCopiesOf(change.rowId)) {
    const step = {
      ...stepWithoutSend({ rowId, attempts, maybeSent: isApplied }, change.atMs),
      error: change.error,
    };
    if (isApplied) {
      const { serviceTransactionId, serviceCustomerId, serviceCardId } = change;
      operations.change({ ...step, event: 'apply', serviceTransactionId, serviceCustomerId, serviceCardId });
      rows.setAnswer(rowId, answer);
    } else {
      // A repeat is answered with the first outcome: a refusal proves that no earlier row was carried out.
      operations.change({ ...step, event: 'prove_absent' });
      operations.change({ ...step, event: 'cancel' });
    }
    settled.push(rowId);
  }
  return settled;
}
