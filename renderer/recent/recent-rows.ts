import { repeatWindowMs } from '../../shared/till/limits.ts';
import { isTryBefore } from '../../shared/till/tries.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { isBeingFoundOut } from '../operation/standing.ts';

/** How many operations the sale screen shows. */
export const recentLimit = 20;

/**
 * Whether a redemption must not be repeated unasked, because it was saved within ten minutes or its outcome is unknown.
 * The page keeps it, however many operations came after it.
 *
 * @param ageMs how long ago it was saved
 */
export function isToMind(operation: OperationView, ageMs: number): boolean {
  return operation.intent === 'redeem' && (isBeingFoundOut(operation) || ageMs <= repeatWindowMs);
}

/** What the list shows: the newest, and each redemption that is still found out, where the cashier may decide about it. */
export function shownInList(operations: readonly OperationView[]): readonly OperationView[] {
  return operations.filter((operation, index) => index < recentLimit || isBeingFoundOut(operation)).filter(isWorthARow);
}

/**
 * Whether the list shows the operation. A code that was sent or was wrong does not matter to the next customer, but a
 * new card does. Holds have their own list.
 */
function isWorthARow({ intent, state }: OperationView): boolean {
  if (intent === 'enroll' || intent === 'reserve' || intent === 'release') return false;
  return intent !== 'verify' || state === 'applied';
}

/** A row of the list, and how many tries it stands for, the last one included. */
export interface FoldedRow {
  readonly operation: OperationView;
  readonly tries: number;
}

/** Makes one row of the refused tries of a sale, which shows the newest. @param operations newest first */
export function foldTries(operations: readonly OperationView[]): readonly FoldedRow[] {
  const rows: (FoldedRow & { readonly oldest: OperationView })[] = [];
  for (const operation of operations) {
    const at = rows.findIndex(({ oldest }) => isTryBefore(oldest, operation));
    const row = rows[at];
    if (row === undefined) rows.push({ operation, tries: 1, oldest: operation });
    else rows[at] = { ...row, tries: row.tries + 1, oldest: operation };
  }
  return rows.map(({ operation, tries }) => ({ operation, tries }));
}
