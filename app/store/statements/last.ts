import { asc, desc, eq, gt, lte, sql } from 'drizzle-orm';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { meta, operations } from '../schema/schema.ts';

export const lastStatements = {
  /** The operation that was saved last. */
  last: read(() =>
    select(pick(operations, 'rowId', 'operationId', 'savedAtMs'))
      .from(operations)
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
  /** The greatest number whose row was deleted: no statement of the agent deletes one. 0: none, as far as a trigger has seen. */
  lastDeleted: read(() =>
    select({ rowId: sql<number>`CAST(${meta.value} AS INTEGER)` })
      .from(meta)
      .where(eq(meta.key, 'last_deleted_row_id')),
  ),
  savedUpTo: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId', 'savedAtMs'))
      .from(operations)
      .where(lte(operations.rowId, $.rowId))
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
  savedAfter: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId', 'savedAtMs'))
      .from(operations)
      .where(gt(operations.rowId, $.rowId))
      .orderBy(asc(operations.rowId))
      .limit(1),
  ),
};
