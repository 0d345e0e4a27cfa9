import { and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { openStates } from '../../../shared/machines/operation.ts';
import { ofEach, type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { isFound, toldColumns } from '../operation-columns.ts';
import { operations } from '../schema.ts';

/** Null narrows nothing; texts are in lower case. */
export interface Conditions {
  /** `,queued,unknown,` */
  readonly states: string | null;
  readonly businessDate: string | null;
  readonly text: string | null;
  readonly customer: string | null;
}

const told = () => select(toldColumns).from(operations);
const isBefore = ($: Placeholders<{ before: number }>) => lt(operations.rowId, $.before);

function matches($: Placeholders<Conditions>): SQL | undefined {
  const has = (column: SQLiteColumn, part: unknown) => sql`instr(lower(coalesce(${column}, '')), ${part}) > 0`;
  const { externalRef, customerName, identifierValue, serviceTransactionId } = operations;
  return and(
    or(sql`${$.states} IS NULL`, sql`instr(${$.states}, ',' || ${operations.state} || ',') > 0`),
    or(sql`${$.businessDate} IS NULL`, eq(operations.businessDate, $.businessDate)),
    or(
      sql`${$.text} IS NULL`,
      ...[externalRef, customerName, identifierValue, serviceTransactionId].map((column) => has(column, $.text)),
    ),
    or(sql`${$.customer} IS NULL`, ...[customerName, identifierValue].map((column) => has(column, $.customer))),
  );
}

export const activityStatements = {
  window: read(($: Placeholders<Conditions & { before: number; from: number; limit: number }>) =>
    told()
      .where(and(isBefore($), gte(operations.rowId, $.from), matches($)))
      .orderBy(desc(operations.rowId))
      .limit($.limit),
  ),
  found: read(($: Placeholders<Conditions & { before: number }>) =>
    told().where(and(isFound, isBefore($), matches($))),
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
    told().where(and(eq(operations.state, state), sql`+${operations.rowId} < ${$.before}`, matches($))),
  ),
);
