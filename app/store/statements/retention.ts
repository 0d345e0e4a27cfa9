import { and, desc, eq, gt, gte, inArray, isNotNull, lt, lte, notExists, or, sql } from 'drizzle-orm';
import { settledStates } from '../../../shared/machines/operation.ts';
import { nulls, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { operations, watches } from '../schema/schema.ts';

/** What tells who the customer was, or quotes it. */
const personal = pick(
  operations,
  'identifierKind',
  'identifierValue',
  'customerName',
  'cardId',
  'serviceCustomerId',
  'serviceCardId',
  'body',
  'idempotencyKey',
  'answer',
  // The customer's balances afterwards: the operation itself needs them no more.
  'newBalances',
  // Made of the request, and nothing without it: whoever has the till's key could try names and numbers against it.
  'seal',
);

interface Erasable {
  readonly from: number;
  readonly to: number;
  readonly beforeMs: number;
}

/** Those of the rows whose customer may be erased. */
function isErasable($: Placeholders<Erasable>) {
  return and(
    gte(operations.rowId, $.from),
    lt(operations.rowId, $.to),
    // Settled while this machine's clock was behind: the service's time tells that it was later.
    lt(sql`max(${operations.updatedAtMs}, coalesce(${operations.completedAtMs}, 0))`, $.beforeMs),
    // After these nothing needs to be known of the customer any more.
    inArray(operations.state, settledStates),
    // What is still looked up is not over: it may stand at the service, and nothing but its request tells it from
    // another's.
    notExists(query.select(pick(watches, 'rowId')).from(watches).where(eq(watches.rowId, operations.rowId))),
    or(isNotNull(operations.body), isNotNull(operations.identifierValue), isNotNull(operations.answer)),
  );
}

export const retentionStatements = {
  /** Of the newest operation among these rows whose time the service has told. */
  lastCompleted: read(($: Placeholders<{ afterRowId: number; throughRowId: number }>) =>
    select(pick(operations, 'completedAtMs'))
      .from(operations)
      .where(
        and(
          gt(operations.rowId, $.afterRowId),
          lte(operations.rowId, $.throughRowId),
          isNotNull(operations.completedAtMs),
        ),
      )
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
  firstErasable: read(($: Placeholders<Erasable>) =>
    select(pick(operations, 'rowId')).from(operations).where(isErasable($)).limit(1),
  ),
  erase: write(($: Placeholders<Erasable & { readonly message: string }>) =>
    query
      .update(operations)
      .set({
        ...nulls(personal),
        // The words of an error may name the customer.
        error: sql`json_set(json_remove(${operations.error}, '$.details'), '$.message', ${$.message})`,
      })
      .where(isErasable($)),
  ),
};
