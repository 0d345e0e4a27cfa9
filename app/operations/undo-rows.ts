import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { immediateRow } from './immediate-write.ts';
import type { UndoRow } from './reversal-row.ts';

/** Makes the rows of reversals for which nobody waits. */
export function undoRows(options: {
  readonly store: Pick<OperationStore, 'takeRowId'>;
  readonly clock: Clock;
  readonly clockSkewMs: () => number | null;
  readonly businessDateOf: (epochMs: number) => string;
}): UndoRow {
  const { store, clock, clockSkewMs, businessDateOf } = options;
  return (write) =>
    immediateRow(write, {
      rowId: store.takeRowId(),
      clock,
      clockSkewMs: clockSkewMs(),
      businessDateOf,
      delivery: 'deferred',
    });
}
