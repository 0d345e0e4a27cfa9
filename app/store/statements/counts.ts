import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { type Placeholders, query, read, select, write } from '../../sql/compile.ts';
import { meta, operations, stateCounts } from '../schema.ts';

/** A database from before there was such a line has its counters whole: nothing is behind NULL. */
const countedThrough = sql`(SELECT CAST(${meta.value} AS INTEGER) FROM ${meta} WHERE ${eq(meta.key, 'counted_through')})`;

export const countStatements = {
  set: write(($: Placeholders<{ state: OperationState; count: number }>) =>
    query
      .update(stateCounts)
      .set({ count: sql`${$.count}` })
      .where(eq(stateCounts.state, $.state)),
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
  total: read(() => select({ count: sql<number>`count(*)` }).from(operations)),
};
