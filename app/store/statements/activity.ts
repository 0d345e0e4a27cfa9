import { and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { openStates } from '../../../shared/machines/operation.ts';
import type { ActivityKind } from '../../../shared/till/activity-kinds.ts';
import { sameTryFields, triedIntents, triesApart } from '../../../shared/till/tries.ts';
import { ofEach, type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { isFound, operationColumns, requestedAtMs } from '../schema/operation-columns.ts';
import { operations } from '../schema/schema.ts';

/** Null narrows nothing; texts are in lower case. */
export interface Conditions {
  /** `,queued,unknown,` */
  readonly states: string | null;
  readonly businessDate: string | null;
  readonly text: string | null;
  readonly customer: string | null;
  /** 1 where a text has letters with two cases outside ASCII, which takes longer to look for; else 0. */
  readonly lowersAll: number;
  readonly kind: ActivityKind | null;
  /** Empty: of nobody. */
  readonly employeeRef: string | null;
  /** 1 or 0. */
  readonly foldsTries: number;
}

// The rule of `shared/till/tries.ts`, as SQL.
const tried = sql.raw(triedIntents.map((intent) => `'${intent}'`).join(', '));
const isTry = (row: typeof operations | typeof other) =>
  sql`${row.state} = 'cancelled' AND ${row.intent} IN (${tried})`;
const other = alias(operations, 'other');
const columnOf = {
  intent: 'intent',
  given_name: 'givenName',
  amount_minor: 'amountMinor',
  points: 'points',
  stamps: 'stamps',
  visits: 'visits',
} as const satisfies Record<(typeof sameTryFields)[number], keyof typeof other>;
const sameNames = [...sameTryFields.map((field) => columnOf[field]), 'identifierKind', 'identifierValue'] as const;
const triesApartRows = sql.raw(String(triesApart.rows));
const triesApartMs = sql.raw(String(triesApart.ms));
const isSameTry = sql.join(
  [
    isTry(other),
    sql`${other.identifierValue} IS NOT NULL`,
    ...sameNames.map((name) => sql`${other[name]} IS ${operations[name]}`),
  ],
  sql` AND `,
);
/** Looks at the few rows behind each refused one, by their key; other rows cost nothing. */
const isRepeated = sql`${isTry(operations)} AND EXISTS (SELECT 1 FROM ${operations} AS other
  WHERE ${other.rowId} > ${operations.rowId} AND ${other.rowId} <= ${operations.rowId} + ${triesApartRows}
  AND ${requestedAtMs(other)} - ${requestedAtMs(operations)} <= ${triesApartMs} AND ${isSameTry})`;
const isWrongCode = sql`${isTry(operations)} AND ${operations.intent} = 'verify'`;

const { intent, points, stamps, visits, amountMinor } = operations;
const kindOfRow = sql`CASE ${intent} WHEN 'earn' THEN 'earn' WHEN 'commit' THEN 'spend' WHEN 'reverse' THEN 'undo'
  WHEN 'redeem' THEN iif(coalesce(${points}, ${stamps}, ${visits}, ${amountMinor}) IS NULL, 'give', 'spend')
  WHEN 'reserve' THEN 'hold' WHEN 'release' THEN 'hold' ELSE 'customer' END`;

const selectOperations = () => select(operationColumns).from(operations);
const isBefore = ($: Placeholders<{ before: number }>) => lt(operations.rowId, $.before);

function matches($: Placeholders<Conditions>): SQL | undefined {
  // drizzle knows neither function.
  const has = (column: SQLiteColumn, part: unknown) =>
    sql`instr(iif(${$.lowersAll} = 1, lower_all(coalesce(${column}, '')), lower(coalesce(${column}, ''))), ${part}) > 0`;
  const { externalRef, customerName, identifierValue, serviceTransactionId } = operations;
  return and(
    or(sql`${$.states} IS NULL`, sql`instr(${$.states}, ',' || ${operations.state} || ',') > 0`),
    or(sql`${$.businessDate} IS NULL`, eq(operations.businessDate, $.businessDate)),
    or(
      sql`${$.text} IS NULL`,
      ...[externalRef, customerName, identifierValue, serviceTransactionId].map((column) => has(column, $.text)),
    ),
    or(sql`${$.customer} IS NULL`, ...[customerName, identifierValue].map((column) => has(column, $.customer))),
    or(sql`${$.kind} IS NULL`, sql`${kindOfRow} = ${$.kind}`),
    or(sql`${$.employeeRef} IS NULL`, sql`coalesce(${operations.employeeRef}, '') = ${$.employeeRef}`),
    or(sql`${$.foldsTries} = 0`, sql`NOT (${isWrongCode} OR ${isRepeated})`),
  );
}

export const activityStatements = {
  window: read(($: Placeholders<Conditions & { before: number; from: number; limit: number }>) =>
    selectOperations()
      .where(and(isBefore($), gte(operations.rowId, $.from), matches($)))
      .orderBy(desc(operations.rowId))
      .limit($.limit),
  ),
  found: read(($: Placeholders<Conditions & { before: number }>) =>
    selectOperations().where(and(isFound, isBefore($), matches($))),
  ),
  tryBefore: read(($: Placeholders<{ rowId: number }>) =>
    select({ rowId: other.rowId })
      .from(operations)
      .innerJoin(
        other,
        and(
          lt(other.rowId, operations.rowId),
          sql`${other.rowId} >= ${operations.rowId} - ${triesApartRows}`,
          sql`${requestedAtMs(operations)} - ${requestedAtMs(other)} <= ${triesApartMs}`,
          isSameTry,
        ),
      )
      .where(eq(operations.rowId, $.rowId))
      .orderBy(desc(other.rowId))
      .limit(1),
  ),
  sent: read(($: Placeholders<{ rowId: number }>) =>
    select(
      pick(
        operations,
        'path',
        'body',
        'bodyVersion',
        'idempotencyKey',
        'businessDate',
        'occurredAtFrom',
        'tillTimeMs',
        'clockSkewMs',
        'keyFingerprint',
        'sends',
      ),
    )
      .from(operations)
      .where(eq(operations.rowId, $.rowId)),
  ),
};

/** Rows of these are few. With the key as it is, SQLite would go through all operations before that one instead. */
export const activityOfState = ofEach(openStates, (state) =>
  read(($: Placeholders<Conditions & { before: number }>) =>
    selectOperations().where(and(eq(operations.state, state), sql`+${operations.rowId} < ${$.before}`, matches($))),
  ),
);
