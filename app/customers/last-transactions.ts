import { z } from 'zod';
import { instant } from '../../shared/contract/primitives.ts';
import { type TransactionPage, transactionSchema } from '../../shared/contract/transaction.ts';

/** What a customer did last, newest first, and when the service told it. */
export const lastTransactionsSchema = z.object({ as_of: instant, transactions: z.array(transactionSchema) });
export type LastTransactions = z.output<typeof lastTransactionsSchema>;

/** So many are shown, and no more are asked for. */
export const lastTransactionsCount = 5;

/**
 * The newest transactions of a customer, out of a page of their history. The order of a page is not shown in the spec: one
 * that begins with the oldest, and is not all there is, does not hold the newest.
 *
 * @returns null where the page does not tell them
 */
export function newestOf(page: TransactionPage, customerId: string): TransactionPage['data'] | null {
  // What names no customer may be anybody's.
  const theirs = page.data.filter((transaction) => transaction.customer_id === customerId);
  if (theirs.length < page.data.length && theirs.length === 0) return null;
  const instants = theirs.map(({ occurred_at }) => Date.parse(occurred_at));
  const isOldestFirst = instants.every((atMs, index) => index === 0 || atMs >= (instants[index - 1] ?? atMs));
  const isOneInstant = instants[0] === instants.at(-1);
  if (page.next_cursor !== null && isOldestFirst && !isOneInstant) return null;
  return theirs.toSorted((left, right) => Date.parse(right.occurred_at) - Date.parse(left.occurred_at));
}
