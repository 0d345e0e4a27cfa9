import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { operations } from '../schema/schema.ts';

export const sealStatements = {
  sealed: read(($: Placeholders<{ rowId: number }>) =>
    select(
      pick(operations, 'operationId', 'intent', 'externalRef', 'path', 'body', 'bodyVersion', 'idempotencyKey', 'seal'),
    )
      .from(operations)
      .where(eq(operations.rowId, $.rowId)),
  ),
  setSeal: write(($: Placeholders<{ rowId: number; seal: Buffer | null }>) =>
    query
      .update(operations)
      .set(given(pick(operations, 'seal'), $))
      .where(eq(operations.rowId, $.rowId)),
  ),
  // One without a seal may be from before there were seals.
  breakAll: write(() => query.update(operations).set({ seal: sql`x''` }).where(isNotNull(operations.body))),
  // What goes on, or waits for a person.
  waiting: read(() =>
    select(
      pick(operations, 'operationId', 'intent', 'externalRef', 'path', 'body', 'bodyVersion', 'idempotencyKey', 'seal'),
    )
      .from(operations)
      .where(
        and(
          inArray(operations.state, ['queued', 'sending', 'unknown', 'refused', 'failed']),
          isNotNull(operations.body),
        ),
      ),
  ),
  // What is settled is sent again only where the service has lost its books: a person releases it then.
  unsealed: read(() =>
    select(pick(operations, 'rowId', 'state'))
      .from(operations)
      .where(
        and(
          inArray(operations.state, ['queued', 'sending', 'unknown', 'accepted', 'refused', 'failed', 'cancelled']),
          isNotNull(operations.body),
          isNull(operations.seal),
        ),
      ),
  ),
};
