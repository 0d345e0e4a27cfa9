import type { TransactionPage } from '../../../shared/contract/transaction.ts';
import { done, type Result, refuseFields } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import { refuseUnknownCustomer } from './find-customer.ts';
import { transactionView } from './transaction-view.ts';

/**
 * Spec "GET /customers/{customer_id}/transactions". Newest first by creation; a page goes on after the last row of
 * the one before, so rows that arrive meanwhile move nothing (gap: Transactions).
 */
export function readHistory(
  { store, clock }: ServiceContext,
  call: Call<
    unknown,
    { readonly customer_id: string },
    { readonly cursor?: string | undefined; readonly limit: number }
  >,
): Result {
  const { customer_id: customerId } = call.params;
  const { cursor, limit } = call.query;
  const before = cursor === undefined ? null : readCursor(cursor, customerId);
  const page = before === 'bad' ? null : store.transactions.ofCustomer(customerId, before, limit);
  // Only a customer has rows, so the look whether there is such a customer is needed only for an empty page.
  const isEmpty = page === null || page.length === 0;
  if (isEmpty && store.customers.byId(customerId) === null) return refuseUnknownCustomer();
  if (page === null) return refuseFields([{ field: 'cursor', problem: "is not this history's" }]);
  const last = page.at(-1);
  const nowMs = clock.now();
  const answer: TransactionPage = {
    data: page.map((transaction) => transactionView(transaction, nowMs)),
    next_cursor: last === undefined || last.previousPosition === null ? null : writeCursor(customerId, last.position),
  };
  return done(200, answer);
}

function writeCursor(customerId: string, position: number): string {
  return Buffer.from(`${position}.${customerId}`).toString('base64url');
}

/** A cursor is good when it is exactly what this history would have written. */
function readCursor(cursor: string, customerId: string): number | 'bad' {
  const [position = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^[1-9]\d{0,14}$/.test(position)) return 'bad';
  return writeCursor(customerId, Number(position)) === cursor ? Number(position) : 'bad';
}
