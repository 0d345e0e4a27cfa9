import type { Operation } from '../../store/schema/operation.ts';
import type { ImmediateStore } from '../../store/tables/immediate-store.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import { changedOnDisk } from '../settlement/settlement.ts';

/** Whether it was found changed on the disk and waits for a person: nothing new is to be told of it. */
export function isHeldAsChanged(
  { store, immediate }: { readonly store: OperationStore; readonly immediate: ImmediateStore },
  { rowId, state, error }: Operation,
): boolean {
  if (state !== 'unknown' || error?.code !== changedOnDisk.code) return false;
  const row = immediate.sent(rowId);
  return row !== null && !store.seals.isWhole(row);
}
