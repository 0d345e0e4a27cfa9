import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { query, write } from '../../../sql/compile.ts';
import { cards, customers, enrollments, externalIds, idempotencyKeys, reservations, transactions } from '../schema.ts';

const clear = (table: SQLiteTable) => write(() => query.delete(table));

/** In the order in which nothing is left pointing at a row that is gone. */
export const clearingStatements = {
  idempotencyKeys: clear(idempotencyKeys),
  reservations: clear(reservations),
  enrollments: clear(enrollments),
  transactions: clear(transactions),
  cards: clear(cards),
  externalIds: clear(externalIds),
  customers: clear(customers),
};
