import { and, asc, eq, gt, lte, min, notInArray, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { waitingStates } from '../../../shared/machines/operation.ts';
import { ofEach, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { sentColumns } from '../schema/operation-columns.ts';
import { operations } from '../schema/schema.ts';

const nextSend = { ...sentColumns, send: sql<number>`${operations.sends} + 1` };
const original = alias(operations, 'original');

/** Place in the order in which waiting rows are sent. */
const inOrder = [asc(operations.occurredAtMs), asc(operations.rowId)] as const;
const isQueued = eq(operations.state, 'queued');
const isBehind = ($: Placeholders<{ occurredAtMs: number; rowId: number }>) =>
  sql`(${operations.occurredAtMs}, ${operations.rowId}) > (${$.occurredAtMs}, ${$.rowId})`;
interface Page {
  readonly occurredAtMs: number;
  readonly rowId: number;
  readonly limit: number;
}
interface PageOfOthers extends Page {
  /** Where the look ends. */
  readonly lastOccurredAtMs: number;
  readonly lastRowId: number;
  /** Whose rows are left out, as JSON. */
  readonly lanes: string;
}
// A reversal goes after its original: the service refuses it before that one is applied.
const mayGo = and(
  eq(operations.delivery, 'deferred'),
  or(
    sql`${operations.reversesRowId} IS NULL`,
    eq(
      sql`${query.select({ state: original.state }).from(original).where(eq(original.rowId, operations.reversesRowId))}`,
      sql`'applied'`,
    ),
  ),
);

const accepted = () =>
  select({
    ...pick(operations, 'rowId', 'intent', 'externalRef', 'path', 'body', 'occurredAtMs', 'attempts', 'updatedAtMs'),
    // A CHECK sees to it.
    serviceTransactionId: sql<string>`${operations.serviceTransactionId}`,
    send: operations.sends,
  }).from(operations);
const isUnknownDeferred = and(eq(operations.state, 'unknown'), eq(operations.delivery, 'deferred'));

/** What waits to be sent, or to be polled. */
export const queueStatements = {
  queued: read(($: Placeholders<Page>) =>
    select(nextSend)
      .from(operations)
      .where(and(isQueued, isBehind($), mayGo))
      .orderBy(...inOrder)
      .limit($.limit),
  ),
  queuedOfOthers: read(($: Placeholders<PageOfOthers>) =>
    select(nextSend)
      .from(operations)
      .where(
        and(
          isQueued,
          isBehind($),
          sql`(${operations.occurredAtMs}, ${operations.rowId}) <= (${$.lastOccurredAtMs}, ${$.lastRowId})`,
          notInArray(sentColumns.lane, sql`(SELECT value FROM json_each(${$.lanes}))`),
          mayGo,
        ),
      )
      .orderBy(...inOrder)
      .limit($.limit),
  ),
  queuedFarther: read(($: Placeholders<Omit<Page, 'limit'> & { readonly rows: number }>) =>
    select(pick(operations, 'occurredAtMs', 'rowId'))
      .from(operations)
      .where(and(isQueued, isBehind($)))
      .orderBy(...inOrder)
      .limit(1)
      .offset($.rows),
  ),
  dueUnknown: read(($: Placeholders<{ nowMs: number; latestMs: number; limit: number }>) =>
    select(nextSend)
      .from(operations)
      .where(
        and(
          isUnknownDeferred,
          or(lte(operations.nextAttemptAtMs, $.nowMs), gt(operations.nextAttemptAtMs, $.latestMs)),
        ),
      )
      .orderBy(...inOrder)
      .limit($.limit),
  ),
  // Rows that waited for this key to come back are due now. Their state stays.
  releaseWithheld: write(($: Placeholders<{ keyFingerprint: string }>) =>
    query
      .update(operations)
      .set({ nextAttemptAtMs: 0 })
      .where(and(eq(operations.state, 'unknown'), eq(operations.keyFingerprint, $.keyFingerprint))),
  ),
  nextUnknown: read(() =>
    select({ atMs: min(operations.nextAttemptAtMs) })
      .from(operations)
      .where(isUnknownDeferred),
  ),
  sending: read(() =>
    select(sentColumns)
      .from(operations)
      .where(eq(operations.state, 'sending'))
      .orderBy(...inOrder),
  ),
  accepted: read(($: Placeholders<Page>) =>
    accepted()
      .where(and(eq(operations.state, 'accepted'), isBehind($)))
      .orderBy(...inOrder)
      .limit($.limit),
  ),
  acceptedRow: read(($: Placeholders<{ rowId: number }>) =>
    accepted().where(and(eq(operations.state, 'accepted'), eq(operations.rowId, $.rowId))),
  ),
};

/** Sales that the service may not have yet, by state. */
export const oldestUnsentStatements = ofEach(['queued', 'sending', 'unknown'] as const, (state) =>
  read(() =>
    select(pick(operations, 'occurredAtMs'))
      .from(operations)
      .where(and(eq(operations.state, state), eq(operations.intent, 'earn')))
      .orderBy(...inOrder)
      .limit(1),
  ),
);

export const oldestStatements = ofEach(waitingStates, (state) =>
  read(() =>
    select(pick(operations, 'occurredAtMs'))
      .from(operations)
      .where(eq(operations.state, state))
      .orderBy(...inOrder)
      .limit(1),
  ),
);
