import type { ImmediateStore } from '../store/immediate-store.ts';
import type { Operation } from '../store/operation.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { changedOnDisk } from './settlement.ts';

/** Whether it was found changed on the disk and waits for a person: nothing new is to be told of it. */
export function isHeldAsChanged(
  { store, immediate }: { readonly store: OperationStore; readonly immediate: ImmediateStore },
  { rowId, state, error }: Operation,
): boolean {
  if (state !== 'unknown' || error?.code !== changedOnDisk.code) return false;
  const row = immediate.sent(rowId);
  return row !== null && !store.seals.isWhole(row);
}
