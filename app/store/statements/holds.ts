import { and, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { toldColumns } from '../schema/operation-columns.ts';
import { operationEvents, operations } from '../schema/schema.ts';

/** The status of the latest refusal of an operation, which may be an earlier request's; null where it was never refused. */
const refusedStatus = sql<number | null>`(SELECT ${operationEvents.httpStatus} FROM ${operationEvents}
  WHERE ${operationEvents.rowId} = ${operations.rowId} AND ${operationEvents.toState} = 'refused'
  ORDER BY ${operationEvents.version} DESC LIMIT 1)`;

const holdColumns = { ...toldColumns, ...pick(operations, 'path'), refusedStatus };

export const holdStatements = {
  since: read(($: Placeholders<{ sinceMs: number }>) =>
    select(holdColumns)
      .from(operations)
      .where(
        and(
          // As the index says it: SQLite would not find the two alike in other words.
          eq(operations.origin, 'till'),
          or(eq(operations.intent, 'reserve'), eq(operations.intent, 'commit'), eq(operations.intent, 'release')),
          gte(operations.savedAtMs, $.sinceMs),
        ),
      ),
  ),
  /** Of the newest operations: those that were saved before that by a clock that was behind, and took place since. */
  tookPlaceSince: read(($: Placeholders<{ sinceMs: number; afterRowId: number }>) =>
    select(holdColumns)
      .from(operations)
      .where(
        and(
          gt(operations.rowId, $.afterRowId),
          eq(operations.origin, 'till'),
          // In other words than the index: SQLite would go through all holds by it.
          inArray(operations.intent, ['reserve', 'commit', 'release']),
          lt(operations.savedAtMs, $.sinceMs),
          gte(operations.occurredAtMs, $.sinceMs),
        ),
      ),
  ),
};
