import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { HoldView } from '../../../shared/till/hold-views.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { textOfOperation } from '../../operation/entry.ts';
import { type Entry, openEntry } from './entry-flow.ts';

/** The entry that spends a hold. The cashier can enter only the paid order's number. */
export function openPaid(operationId: string, hold: HoldView): Entry {
  const { points, customer_name: customerName, identifier_hint: hint } = hold;
  const value = points === null ? { amount_minor: hold.amount_minor, currency: hold.currency } : { amount_minor: null };
  const entryFor = { identifier: null, customerName, card: null, hint };
  const operation = points === null ? 'redeem_amount' : 'redeem_points';
  const opened = openEntry(operationId, operation, entryFor, hold.currency ?? '', { kind: 'paid', hold });
  const text = textOfOperation({ currency: null, ...value, points, stamps: null, visits: null });
  return { ...opened, entryId: `paid ${hold.hold_id}`, text, untouched: false, isReceiptOpen: true };
}

/** The entry that sends a refused sale under another receipt number. What was sold stays the same. */
export function openRenumber(
  operationId: string,
  operation: CardOperation,
  { card, ...renumber }: { readonly refused: OperationView; readonly reason: string; readonly card: CardEntry | null },
): Entry {
  const { refused } = renumber;
  const { customer_name: customerName, identifier_hint: hint } = refused;
  const entryFor = { identifier: null, customerName, card, hint };
  const opened = openEntry(operationId, operation, entryFor, refused.currency ?? '', { kind: 'renumber', ...renumber });
  const entryId = `renumber ${refused.operation_id}`;
  return { ...opened, entryId, text: textOfOperation(refused), untouched: false, isReceiptOpen: true };
}

/**
 * The entry of a hold after the cashier chose another thing to hold, or another time. It stays the same operation: the
 * answer to its last press may have been lost.
 */
export function changeHold(
  entry: Entry,
  {
    operation,
    minutes,
    currency: ours,
  }: { readonly operation: CardOperation; readonly minutes: number; readonly currency: string },
): Entry {
  const aim = { kind: 'hold', minutes } as const;
  if (operation === entry.operation) return { ...entry, aim };
  const currency = entry.entryFor.card?.balances.currency ?? ours;
  const { receipt, isUnanswered } = entry;
  return { ...openEntry(entry.operationId, operation, entry.entryFor, currency, aim), receipt, isUnanswered };
}
