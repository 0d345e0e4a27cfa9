import { and, asc, gt, gte, inArray, lt, lte, or } from 'drizzle-orm';
import { type Placeholders, read, select } from '../../sql/compile.ts';
import { operationColumns } from '../schema/operation-columns.ts';
import { operations } from '../schema/schema.ts';

interface Part {
  readonly after: number;
  readonly to: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly limit: number;
}

export const verifyStatements = {
  part: read(($: Placeholders<Part>) =>
    select(operationColumns)
      .from(operations)
      .where(
        and(
          gt(operations.rowId, $.after),
          lte(operations.rowId, $.to),
          inArray(operations.state, ['applied', 'reversed']),
          inArray(operations.intent, ['earn', 'redeem', 'commit', 'reverse']),
          // Settled while this machine's clock was wrong: the service's time tells when.
          or(
            and(gte(operations.updatedAtMs, $.sinceMs), lt(operations.updatedAtMs, $.untilMs)),
            and(gte(operations.completedAtMs, $.sinceMs), lt(operations.completedAtMs, $.untilMs)),
          ),
        ),
      )
      .orderBy(asc(operations.rowId))
      .limit($.limit),
  ),
};
