import { csvLine } from '../lib/csv.ts';
import type { OperationView } from './views.ts';

/** The columns of operations as CSV, in their order. Amounts are in minor units. */
const columns = [
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

export const activityCsvHead = csvLine(columns);

/** One operation; its customer is masked. */
export function activityCsvLine(view: OperationView): string {
  const more = { error_code: view.error?.code ?? null, customer: view.identifier_hint };
  return csvLine(
    columns.map((column) => (column === 'error_code' || column === 'customer' ? more[column] : view[column])),
  );
}
