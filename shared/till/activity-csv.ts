import { csvLine } from '../lib/csv.ts';
import type { WhereTaken } from './activity-views.ts';
import type { OperationView } from './views.ts';

/** Columns of the operation itself, followed by those of where it was taken. Amounts are in minor units. */
const ownColumns = [
  'external_ref',
  'intent',
  'state',
  'cause',
  'error_code',
  'amount_minor',
  'currency',
  'points',
  'stamps',
  'visits',
  'card_id',
  'customer',
  'occurred_at',
  'saved_at',
  'updated_at',
  'transaction_id',
  'service_transaction_id',
] as const;
const takenColumns = ['business_date', 'branch_ref', 'device_ref', 'employee_ref', 'program'] as const;

/** The columns of operations as CSV. A new column must come last, because scripts count the columns. */
export const activityCsvColumns: readonly string[] = [...ownColumns, ...takenColumns];
export const activityCsvHead = csvLine(activityCsvColumns);

/** The line of one operation, with its customer masked. @param taken undefined when the agent is too old to send it */
export function activityCsvLine(view: OperationView, taken: WhereTaken | undefined): string {
  const more = { error_code: view.error?.code ?? null, customer: view.identifier_hint };
  return csvLine([
    ...ownColumns.map((column) => (column === 'error_code' || column === 'customer' ? more[column] : view[column])),
    ...takenColumns.map((column) => taken?.[column] ?? null),
  ]);
}
