import { and, asc, gte, sql } from 'drizzle-orm';
import { type Placeholders, pick, read, select } from '../../sql/compile.ts';
import { operationHistory, operations } from '../schema.ts';

export const hourStatements = {
  firstFrom: read(($: Placeholders<{ rowId: number }>) =>
    select(pick(operations, 'rowId', 'savedAtMs'))
      .from(operations)
      .where(gte(operations.rowId, $.rowId))
      .orderBy(asc(operations.rowId))
      .limit(1),
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
