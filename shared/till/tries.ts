import { repeatWindowMs } from './limits.ts';
import type { OperationView } from './views.ts';

/**
 * Refused tries of one sale are one row of a list, the newest of them: here is what makes two of them tries of one sale.
 * The store asks it in SQL for Activity (`app/store/statements/activity.ts`), the page of the rows that it has for Recent.
 */

/** Somebody waits for these at the till: refused, nothing is left to decide. A refused earn waits for a person instead. */
export const triedIntents = ['redeem', 'commit', 'verify', 'enroll', 'reserve', 'release'] as const;

/** Two tries of one sale are equal in these fields, and in whom they are for. */
export const sameTryFields = ['intent', 'given_name', 'amount_minor', 'points', 'stamps', 'visits'] as const;

/** A try belongs to the next one that comes within so many rows, and soon enough to look like a repeat. */
export const triesApart = { rows: 30, ms: repeatWindowMs } as const;

type Tried = Pick<
  OperationView,
  (typeof sameTryFields)[number] | 'state' | 'row_id' | 'saved_at' | 'customer_name' | 'identifier_hint'
>;

/** @param newer the next one of the same sale */
export function isTryBefore(newer: Tried, older: Tried): boolean {
  if (!isTry(newer) || !isTry(older)) return false;
  // An enrollment or the end of a hold keeps no identifier: two of them may be of two customers.
  if (newer.identifier_hint === null) return false;
  if (newer.row_id - older.row_id > triesApart.rows) return false;
  if (Date.parse(newer.saved_at) - Date.parse(older.saved_at) > triesApart.ms) return false;
  return [...sameTryFields, 'customer_name' as const, 'identifier_hint' as const].every(
    (field) => newer[field] === older[field],
  );
}

function isTry({ state, intent }: Tried): boolean {
  return state === 'cancelled' && triedIntents.some((tried) => tried === intent);
}
