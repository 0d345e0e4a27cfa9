import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import { changedOnDisk } from '../settlement/settlement.ts';

/** Whether an operation was found changed on the disk, and still waits for a person who releases it. */
export function isWithheldAsChanged(
  { operations, rows }: OperationStores,
  { rowId, state, error }: Operation,
): boolean {
  if (state !== 'unknown' || error?.code !== changedOnDisk.code) return false;
  const row = rows.sent(rowId);
  return row !== null && !operations.seals.isSealIntact(row);
}
