import { desc } from 'drizzle-orm';
import { pick, read, select } from '../../sql/compile.ts';
import { operations } from '../schema.ts';

export const lastStatements = {
  /** The operation that was saved last. */
  last: read(() =>
    select(pick(operations, 'rowId', 'operationId', 'savedAtMs'))
      .from(operations)
      .orderBy(desc(operations.rowId))
      .limit(1),
  ),
};
