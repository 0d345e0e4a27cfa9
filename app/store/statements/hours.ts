import { and, asc, desc, gte, inArray, lt, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { operationHistory, operations } from '../schema/schema.ts';

/** What was to be spent and was refused, or never sent, was not taken; what was earned and undone counts. */
const isSpentNothing = and(
  inArray(operations.intent, ['redeem', 'reserve']),
  inArray(operations.state, ['refused', 'cancelled']),
);
const totalOf = (value: SQLiteColumn) => sql<number>`total(CASE WHEN ${isSpentNothing} THEN 0 ELSE ${value} END)`;

export const hourStatements = {
  firstFrom: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId', 'savedAtMs'))
      .from(operations)
      .where(gte(operations.rowId, $.rowId))
      .orderBy(asc(operations.rowId))
      .limit(1),
  ),
  savedBefore: read(($: Placeholders<{ rowId: number; limit: number }>) =>
    select(pick(operations, 'rowId', 'savedAtMs'))
      .from(operations)
      .where(lt(operations.rowId, $.rowId))
      .orderBy(desc(operations.rowId))
      .limit($.limit),
  ),
  /**
   * What was asked for of value: a reward or a coupon has none of its own. `total` and not `sum`, which throws when whole
   * numbers that somebody wrote into the file are too large together.
   */
  taken: read(($: Placeholders<{ fromRowId: number }>) =>
    select({
      amountMinor: totalOf(operations.amountMinor),
      points: totalOf(operations.points),
      stamps: totalOf(operations.stamps),
      visits: totalOf(operations.visits),
      rewards: sql<number>`total(${operations.intent} = 'redeem' AND
        coalesce(${operations.amountMinor}, ${operations.points}, ${operations.stamps}, ${operations.visits}) IS NULL)`,
    })
      .from(operations)
      .where(and(gte(operations.rowId, $.fromRowId), inArray(operations.intent, ['earn', 'redeem', 'reserve']))),
  ),
  changes: read(($: Placeholders<{ fromRowId: number; startMs: number; hourMs: number }>) =>
    select({
      // A number of JavaScript's is bound as one with a fraction.
      hour: sql<number>`CAST((${operationHistory.atMs} - ${$.startMs}) / ${$.hourMs} AS INTEGER)`,
      fromState: operationHistory.fromState,
      toState: operationHistory.toState,
      count: sql<number>`count(*)`,
    })
      .from(operationHistory)
      .where(and(gte(operationHistory.rowId, $.fromRowId), gte(operationHistory.atMs, $.startMs)))
      // By the fields' places.
      .groupBy(sql`1, 2, 3`),
  ),
};
