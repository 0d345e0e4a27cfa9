import { and, asc, desc, eq, getTableColumns, gte, lt, lte, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { openStates } from '../../../shared/machines/operation.ts';
import type { DayUnit } from '../../../shared/till/day-names.ts';
import { given, ofEach, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { operationColumns } from '../schema/operation-columns.ts';
import { dayCloseCarried, dayCloseLate, dayCloses, operations } from '../schema/schema.ts';

/** The operation that a reversal takes back, when it is one of ours. */
const original = alias(operations, 'original');
/** The operation whose values count: the original of a reversal, else the operation itself. */
const valued = alias(operations, 'valued');

// An amount beside points, stamps or visits is only recorded: those are what was earned.
const unit = sql<DayUnit>`CASE WHEN ${valued.points} IS NOT NULL THEN 'points' WHEN ${valued.stamps} IS NOT NULL THEN 'stamps'
  WHEN ${valued.visits} IS NOT NULL THEN 'visits' WHEN ${valued.amountMinor} IS NOT NULL THEN 'money' ELSE 'none' END`;

/** The operation that was saved last when a day was closed. */
const lastOfClose = alias(operations, 'last_of_close');

const count = sql<number>`count(*)`;
const tallied = () =>
  select({
    intent: operations.intent,
    takesBack: original.intent,
    unit,
    currency: sql<string | null>`iif(${unit} = 'money', ${valued.currency}, NULL)`,
    state: operations.state,
    delivery: operations.delivery,
    employeeRef: operations.employeeRef,
    count,
    // drizzle's own sum() gives text.
    total: sql<number>`total(coalesce(${valued.points}, ${valued.stamps}, ${valued.visits}, ${valued.amountMinor}))`,
  })
    .from(operations)
    .leftJoin(original, eq(original.rowId, operations.reversesRowId))
    .innerJoin(valued, eq(valued.rowId, sql`coalesce(${original.rowId}, ${operations.rowId})`));
/** By the places of a tally's fields: all but its figures. */
const byKind = sql`1, 2, 3, 4, 5, 6, 7`;
const carried = () => eq(operations.operationId, dayCloseCarried.operationId);
interface Through {
  /** Null: of all days. */
  readonly through: string | null;
}
const isThrough = ($: Placeholders<Through>) =>
  or(sql`${$.through} IS NULL`, sql`${operations.businessDate} <= ${$.through}`);

export const dayStatements = {
  daysIn: read(($: Placeholders<{ from: number; to: number }>) =>
    select({ day: operations.businessDate })
      .from(operations)
      .where(and(gte(operations.rowId, $.from), lt(operations.rowId, $.to)))
      .groupBy(operations.businessDate),
  ),
  tally: read(($: Placeholders<{ day: string; from: number; to: number }>) =>
    tallied()
      .where(and(gte(operations.rowId, $.from), lt(operations.rowId, $.to), eq(operations.businessDate, $.day)))
      .groupBy(byKind),
  ),
  /** Of those that came late in a row from before the closing. One that has gone to another day since is not counted here. */
  tallyLate: read(($: Placeholders<{ day: string; lastRowId: number }>) =>
    tallied()
      .innerJoin(dayCloseLate, eq(dayCloseLate.operationId, operations.operationId))
      .where(
        and(
          eq(dayCloseLate.businessDate, $.day),
          eq(operations.businessDate, $.day),
          lte(operations.rowId, $.lastRowId),
        ),
      )
      .groupBy(byKind),
  ),
  rowIdOf: read(($: Placeholders<{ operationId: string }>) =>
    select(pick(operations, 'rowId')).from(operations).where(eq(operations.operationId, $.operationId)),
  ),
  move: write(($: Placeholders<{ rowId: number; businessDate: string }>) => {
    const closedSince = query
      .select(pick(dayCloses, 'businessDate'))
      .from(dayCloses)
      .innerJoin(lastOfClose, eq(lastOfClose.operationId, dayCloses.lastOperationId))
      .where(
        and(
          or(eq(dayCloses.businessDate, operations.businessDate), eq(dayCloses.businessDate, $.businessDate)),
          gte(lastOfClose.rowId, operations.rowId),
        ),
      );
    return query
      .update(operations)
      .set(given(pick(operations, 'businessDate'), $))
      .where(and(eq(operations.rowId, $.rowId), notExists(closedSince)));
  }),
  noteLate: write(($: Placeholders<{ rowId: number }>) =>
    query
      .insert(dayCloseLate)
      .select(
        select(pick(operations, 'businessDate', 'operationId'))
          .from(operations)
          .innerJoin(dayCloses, eq(dayCloses.businessDate, operations.businessDate))
          .where(
            and(
              eq(operations.rowId, $.rowId),
              notExists(
                query
                  .select(pick(dayCloseCarried, 'state'))
                  .from(dayCloseCarried)
                  .where(and(eq(dayCloseCarried.businessDate, operations.businessDate), carried())),
              ),
            ),
          ),
      )
      .onConflictDoNothing(),
  ),
  closeOf: read(($: Placeholders<{ businessDate: string }>) =>
    select(getTableColumns(dayCloses)).from(dayCloses).where(eq(dayCloses.businessDate, $.businessDate)),
  ),
  closes: read(($: Placeholders<{ before: string | null; limit: number }>) =>
    select(getTableColumns(dayCloses))
      .from(dayCloses)
      .where(or(sql`${$.before} IS NULL`, sql`${dayCloses.businessDate} < ${$.before}`))
      .orderBy(desc(dayCloses.businessDate))
      .limit($.limit),
  ),
  insert: write(($: Placeholders<typeof dayCloses.$inferSelect>) =>
    query.insert(dayCloses).values(given(getTableColumns(dayCloses), $)),
  ),
  carriedStates: read(($: Placeholders<{ businessDate: string }>) =>
    select({ state: operations.state, count })
      .from(dayCloseCarried)
      .innerJoin(operations, carried())
      .where(eq(dayCloseCarried.businessDate, $.businessDate))
      .groupBy(operations.state),
  ),
  carried: read(($: Placeholders<{ businessDate: string; limit: number }>) =>
    select({ ...operationColumns, was: dayCloseCarried.state })
      .from(dayCloseCarried)
      .innerJoin(operations, carried())
      .where(eq(dayCloseCarried.businessDate, $.businessDate))
      .orderBy(asc(operations.rowId))
      .limit($.limit),
  ),
};

export const openCountStatements = ofEach(openStates, (state) =>
  read(($: Placeholders<Through>) =>
    select({ count })
      .from(operations)
      .where(and(eq(operations.state, state), isThrough($))),
  ),
);

export const carryStatements = ofEach(openStates, (state) =>
  write(($: Placeholders<Through & { businessDate: string }>) =>
    query.insert(dayCloseCarried).select(
      select({ businessDate: sql`${$.businessDate}`, operationId: operations.operationId, state: operations.state })
        .from(operations)
        .where(and(eq(operations.state, state), isThrough($))),
    ),
  ),
);
