import { valueFields } from '../contract/value-fields.ts';
import { repeatWindowMs } from './limits.ts';
import type { OperationView } from './views.ts';

/**
 * Decides which refused tries belong to one sale, so that a list shows only the newest of them. For Activity the store
 * asks it in SQL (`app/store/statements/activity.ts`). For Recent the page asks it of the rows that it has.
 */

/** The cashier waits for these, so after a refusal nobody has to decide. A refused earn needs attention instead. */
export const triedIntents = ['redeem', 'commit', 'verify', 'enroll', 'reserve', 'release'] as const;

/** Two tries of one sale are equal in these fields, and in their customer. */
export const sameTryFields = ['intent', 'given_name', ...valueFields] as const;

/** A try belongs to the next one within this many rows and this time, in which it looks like a repeat. */
export const triesApart = { rows: 30, ms: repeatWindowMs } as const;

type Tried = Pick<
  OperationView,
  (typeof sameTryFields)[number] | 'state' | 'row_id' | 'saved_at' | 'customer_name' | 'identifier_hint'
>;

/** @param newer the next try of the same sale */
export function isTryBefore(newer: Tried, older: Tried): boolean {
  if (!isTry(newer) || !isTry(older)) return false;
  // An enrollment or the end of a hold keeps no identifier, so two of them may be for two customers.
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
