import { eq, getTableColumns, sql } from 'drizzle-orm';
import { type OperationState, openStates } from '../../../shared/machines/operation.ts';
import { ofEach, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { meta, operations, stateCounts } from '../schema/schema.ts';

/** NULL in a database of an older version, whose counters tell of all rows: no row id is greater than NULL. */
const countedThrough = sql`(SELECT CAST(${meta.value} AS INTEGER) FROM ${meta} WHERE ${eq(meta.key, 'counted_through')})`;

export const countStatements = {
  set: write(($: Placeholders<{ state: OperationState; count: number }>) =>
    query
      .insert(stateCounts)
      .values({ state: $.state, count: $.count })
      .onConflictDoUpdate({ target: stateCounts.state, set: { count: sql`excluded.count` } }),
  ),
  /** One statement, so that a commit of somebody else's does not come between its two halves. */
  list: read(() =>
    select({
      ...getTableColumns(stateCounts),
      /** Of the rows that the counters do not tell of yet. */
      behind: sql<number>`(SELECT count(*) FROM ${operations}
        WHERE ${operations.rowId} > ${countedThrough} AND +${operations.state} = ${stateCounts.state})`,
    }).from(stateCounts),
  ),
  countedThrough: read(() =>
    select({ rowId: sql<number>`CAST(${meta.value} AS INTEGER)` })
      .from(meta)
      .where(eq(meta.key, 'counted_through')),
  ),
  /** All rows, one by one. */
  byHand: read(() =>
    select({ ...pick(operations, 'state'), count: sql<number>`count(*)` })
      .from(operations)
      .groupBy(operations.state),
  ),
  total: read(() => select({ count: sql<number>`count(*)` }).from(operations)),
};

/** How many rows are in an open state, by its index: counted up to a limit. A million take 18 ms. */
export const openCountStatements = ofEach(openStates, (state) =>
  read(($: Placeholders<{ limit: number }>) =>
    select({ count: sql<number>`count(*)` }).from(
      query
        .select({ one: sql`1`.as('one') })
        .from(operations)
        .where(eq(operations.state, state))
        .limit($.limit)
        .as('some'),
    ),
  ),
);
