import { and, eq, gte, or, sql } from 'drizzle-orm';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { toldColumns } from '../schema/operation-columns.ts';
import { operationEvents, operations } from '../schema/schema.ts';

/** The status of the latest refusal of an operation, which may be an earlier request's; null where it was never refused. */
const refusedStatus = sql<number | null>`(SELECT ${operationEvents.httpStatus} FROM ${operationEvents}
  WHERE ${operationEvents.rowId} = ${operations.rowId} AND ${operationEvents.toState} = 'refused'
  ORDER BY ${operationEvents.version} DESC LIMIT 1)`;

export const holdStatements = {
  since: read(($: Placeholders<{ savedAtMs: number }>) =>
    select({ ...toldColumns, ...pick(operations, 'path'), refusedStatus })
      .from(operations)
      .where(
        and(
          // As the index says it: SQLite would not find the two alike in other words.
          eq(operations.origin, 'till'),
          or(eq(operations.intent, 'reserve'), eq(operations.intent, 'commit'), eq(operations.intent, 'release')),
          gte(operations.savedAtMs, $.savedAtMs),
        ),
      )
      // In the order of the key as it is, SQLite would go through all operations to save itself the sorting of a few.
      .orderBy(sql`+${operations.rowId}`),
  ),
};
