import { and, eq, getTableColumns } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { idempotencyKeys } from '../schema.ts';

type KeyArguments = Pick<typeof idempotencyKeys.$inferSelect, 'source' | 'idempotencyKey'>;

export const idempotencyStatements = {
  find: read(($: Placeholders<KeyArguments>) =>
    select(pick(idempotencyKeys, 'endpoint', 'naturalKey'))
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.source, $.source), eq(idempotencyKeys.idempotencyKey, $.idempotencyKey))),
  ),
  insert: write(($: Placeholders<typeof idempotencyKeys.$inferSelect>) =>
    query
      .insert(idempotencyKeys)
      .values(given(getTableColumns(idempotencyKeys), $))
      .onConflictDoNothing({ target: [idempotencyKeys.source, idempotencyKeys.idempotencyKey] }),
  ),
};
