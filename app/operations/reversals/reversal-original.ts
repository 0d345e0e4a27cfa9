import type { OperationState } from '../../../shared/machines/operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { RowStore } from '../../store/tables/row-store.ts';
import { reversibleIntent } from './reversal-row.ts';

/** The operation of ours that a reversal by reference means. */
export interface ReversalOriginal {
  readonly operation: Operation;
  /** The operation that has the reference: the same one, or the one that `operation` has replaced. */
  readonly named: Operation;
  /** Whether the service holds the operation, may hold it, or will. A record under the reference there is then this one's. */
  readonly stands: boolean;
  /** None of ours stands, because the service holds another till's record. Whoever names ours does not mean that record. */
  readonly gaveWay: boolean;
}

/**
 * Which of several operations is meant, the highest first. What was refused, written off or cancelled
 * has left the reference to another till's; what the service recorded as failed has used it up.
 */
const rankOfState: Readonly<Record<OperationState, number>> = {
  applied: 4,
  accepted: 4,
  sending: 4,
  unknown: 4,
  queued: 4,
  reversed: 3,
  failed: 2,
  cancelled: 1,
  refused: 0,
  written_off: 0,
};
const leastStanding = 2;

/** A failed write whose caller was told at once is closed as cancelled, but the service's books hold it: it ranks as failed. */
function rankOf({ state, maybeSent }: Operation): number {
  return rankOfState[state === 'cancelled' && maybeSent ? 'failed' : state];
}

/** @returns null when none of ours has the reference on that side of the receipt */
export function originalByReference(
  stores: OperationStores,
  externalRef: string,
  intent: 'earn' | 'redeem',
): ReversalOriginal | null {
  const candidates = stores.operations
    .operationsByReference(externalRef)
    .filter((candidate) => reversibleIntent(candidate) === intent)
    .map((named) => ({ named, operation: standingFor(stores.rows, named) }))
    .sort((left, right) => rankOf(right.operation) - rankOf(left.operation));
  const [meant] = candidates;
  if (meant === undefined) return null;
  const stands = rankOf(meant.operation) >= leastStanding;
  const isInConflict = candidates.some(({ operation }) => wasInConflict(stores.operations, operation.rowId));
  return { ...meant, stands, gaveWay: !stands && isInConflict };
}

/** Whether the service has held another's record against a row. A written-off row has no error any more: its history tells. */
function wasInConflict(operations: OperationStore, rowId: number): boolean {
  return operations.history(rowId).some(({ code }) => code === 'DUPLICATE_TRANSACTION');
}

/**
 * The row that stands for this one, mostly itself. A person may have replaced a sale by one under another reference, which
 * the caller does not know.
 */
export function standingFor(rows: RowStore, operation: Operation): Operation {
  for (let last = operation; ; ) {
    const next = rows.replacementOf(last.rowId);
    if (next === null) return last;
    last = next;
  }
}
