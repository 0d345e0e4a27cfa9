import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { type Placeholders, query, read, select, write } from '../../sql/compile.ts';
import { operations, stateCounts } from '../schema.ts';

export const countStatements = {
  add: write(($: Placeholders<{ state: OperationState; by: number }>) =>
    query
      .update(stateCounts)
      .set({ count: sql`${stateCounts.count} + ${$.by}` })
      .where(eq(stateCounts.state, $.state)),
  ),
  list: read(() => select(getTableColumns(stateCounts)).from(stateCounts)),
  total: read(() => select({ count: sql<number>`count(*)` }).from(operations)),
};
