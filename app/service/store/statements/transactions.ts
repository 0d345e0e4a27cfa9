import { and, asc, eq, isNotNull, lte, min, ne, sql } from 'drizzle-orm';
import { except, given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { type EndName, endNames } from '../end-names.ts';
import { customers, type PlannedFailure, transactions } from '../schema.ts';

/** A transaction; its link to the one before it is the history's alone. */
type TransactionRow = Omit<typeof transactions.$inferSelect, 'previousPosition'>;

const stored = except(transactions, 'position', 'previousPosition');
const open = except(transactions, 'position', 'previousPosition', ...endNames);
const whole = except(transactions, 'previousPosition');
const transaction = () => select(whole).from(transactions);
/** In front of the customer's newest one. */
const linked = ($: Placeholders<Pick<TransactionRow, 'customerId'>>) => ({
  previousPosition: sql`(SELECT ${customers.lastPosition} FROM ${customers} WHERE ${customers.customerId} = ${$.customerId})`,
});
const isWaiting = isNotNull(transactions.applyAtMs);

/** What a page of a history shows; the request as it came is left where it is. */
const shown = pick(
  transactions,
  'position',
  'transactionId',
  'intent',
  'status',
  'externalRef',
  'customerId',
  'cardId',
  'amountMinor',
  'currency',
  'points',
  'stamps',
  'visits',
  'occurredAtMs',
  'completedAtMs',
  'processAtMs',
  'newBalances',
  'error',
  'previousPosition',
);
/** What applying needs to know. */
const due = pick(
  transactions,
  'position',
  'status',
  'cardId',
  'operation',
  'amountMinor',
  'points',
  'stamps',
  'visits',
  'reversesTransactionId',
  'requestId',
  'plannedFailure',
);
const waiting = pick(
  transactions,
  'transactionId',
  'intent',
  'externalRef',
  'customerId',
  'applyAtMs',
  'plannedFailure',
);
const ending = pick(transactions, 'status', 'completedAtMs', 'deltas', 'newBalances', 'error');

export const transactionStatements = {
  insert: write(($: Placeholders<Omit<TransactionRow, 'position'>>) =>
    query.insert(transactions).values({ ...given(stored, $), ...linked($) }),
  ),
  // To bind nothing costs as much as to bind something.
  insertOpen: write(($: Placeholders<Omit<TransactionRow, 'position' | EndName>>) =>
    query.insert(transactions).values({ ...given(open, $), ...linked($) }),
  ),
  /** Right after the insert: the customer's newest is the row that was inserted last. */
  link: write(($: Placeholders<{ customerId: string }>) =>
    query
      .update(customers)
      .set({ lastPosition: sql`last_insert_rowid()` })
      .where(eq(customers.customerId, $.customerId)),
  ),
  byId: read(($: Placeholders<{ transactionId: string }>) =>
    transaction().where(eq(transactions.transactionId, $.transactionId)),
  ),
  byNaturalKey: read(($: Placeholders<{ source: string; naturalKey: string }>) =>
    transaction().where(and(eq(transactions.source, $.source), eq(transactions.naturalKey, $.naturalKey))),
  ),
  foreignReversals: read(($: Placeholders<{ source: string; externalRef: string }>) =>
    select(whole)
      // Left to itself SQLite walks through all of the partner's foreign reversals, in the order of their keys. drizzle
      // knows neither INDEXED BY nor GLOB.
      .from(sql`${transactions} INDEXED BY foreign_reversals`)
      .where(
        and(
          eq(transactions.source, $.source),
          eq(transactions.externalRef, $.externalRef),
          sql`${transactions.naturalKey} GLOB 'reverse:id:*'`,
        ),
      ),
  ),
  liveReversalOf: read(($: Placeholders<{ reversesTransactionId: string }>) =>
    transaction().where(
      and(eq(transactions.reversesTransactionId, $.reversesTransactionId), ne(transactions.status, 'failed')),
    ),
  ),
  newest: read(($: Placeholders<{ customerId: string }>) =>
    select({ position: customers.lastPosition }).from(customers).where(eq(customers.customerId, $.customerId)),
  ),
  before: read(($: Placeholders<{ customerId: string; position: number }>) =>
    select({ position: transactions.previousPosition })
      .from(transactions)
      .where(and(eq(transactions.position, $.position), eq(transactions.customerId, $.customerId))),
  ),
  // drizzle knows no WITH RECURSIVE. CROSS JOIN keeps the order of the chain. In a damaged file a link may lead anywhere:
  // only back and to the same customer is followed.
  history: read(($: Placeholders<{ customerId: string; begin: number; limit: number }>) =>
    select(shown).from(sql`(
      WITH RECURSIVE chain (place) AS (
        VALUES (${$.begin})
        UNION ALL
        SELECT ${transactions.previousPosition} FROM chain CROSS JOIN ${transactions} ON ${transactions.position} = place
        WHERE ${transactions.previousPosition} < place
        LIMIT ${$.limit}
      )
      SELECT place FROM chain
    ) CROSS JOIN ${transactions} ON ${transactions.position} = place AND ${transactions.customerId} = ${$.customerId}`),
  ),
  due: read(($: Placeholders<{ nowMs: number; limit: number }>) =>
    select(due)
      .from(transactions)
      .where(lte(transactions.applyAtMs, $.nowMs))
      .orderBy(asc(transactions.applyAtMs), asc(transactions.position))
      .limit($.limit),
  ),
  nextDue: read(() =>
    select({ atMs: min(transactions.applyAtMs) })
      .from(transactions)
      .where(isWaiting),
  ),
  pending: read(($: Placeholders<{ limit: number }>) =>
    select({ ...waiting, applyAtMs: sql<number>`${transactions.applyAtMs}` })
      .from(transactions)
      .where(isWaiting)
      .orderBy(asc(transactions.applyAtMs), asc(transactions.position))
      .limit($.limit),
  ),
  complete: write(($: Placeholders<Pick<TransactionRow, keyof typeof ending | 'position'>>) =>
    query
      .update(transactions)
      .set({ ...given(ending, $), processAtMs: null, applyAtMs: null, plannedFailure: null })
      .where(eq(transactions.position, $.position)),
  ),
  setStatus: write(($: Placeholders<Pick<TransactionRow, 'transactionId' | 'status'>>) =>
    query
      .update(transactions)
      .set(given(pick(transactions, 'status'), $))
      .where(eq(transactions.transactionId, $.transactionId)),
  ),
  planFailure: write(($: Placeholders<{ transactionId: string; plannedFailure: PlannedFailure }>) =>
    query
      .update(transactions)
      .set(given(pick(transactions, 'plannedFailure'), $))
      .where(eq(transactions.transactionId, $.transactionId)),
  ),
};
