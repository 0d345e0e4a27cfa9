import { and, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { operationColumns } from '../schema/operation-columns.ts';
import { operationEvents, operations } from '../schema/schema.ts';

/** The status of the latest refusal of an operation, which may be an earlier request's; null where it was never refused. */
const refusedStatus = sql<number | null>`(SELECT ${operationEvents.httpStatus} FROM ${operationEvents}
  WHERE ${operationEvents.rowId} = ${operations.rowId} AND ${operationEvents.toState} = 'refused'
  ORDER BY ${operationEvents.version} DESC LIMIT 1)`;

const holdColumns = { ...operationColumns, ...pick(operations, 'path'), refusedStatus };

export const holdStatements = {
  since: read(($: Placeholders<{ sinceMs: number }>) =>
    select(holdColumns)
      .from(operations)
      .where(
        and(
          // The same words as the partial index `operations_holds`: with others, SQLite does not use that index.
          eq(operations.origin, 'till'),
          or(eq(operations.intent, 'reserve'), eq(operations.intent, 'commit'), eq(operations.intent, 'release')),
          gte(operations.savedAtMs, $.sinceMs),
        ),
      ),
  ),
  /**
   * Those that took place since then, and that a clock which was behind has dated as saved before. Only the newest
   * operations are searched.
   */
  tookPlaceSince: read(($: Placeholders<{ sinceMs: number; afterRowId: number }>) =>
    select(holdColumns)
      .from(operations)
      .where(
        and(
          gt(operations.rowId, $.afterRowId),
          eq(operations.origin, 'till'),
          // Not in the words of `operations_holds`: with these, SQLite would read all holds of that index.
          inArray(operations.intent, ['reserve', 'commit', 'release']),
          lt(operations.savedAtMs, $.sinceMs),
          gte(operations.occurredAtMs, $.sinceMs),
        ),
      ),
  ),
};
