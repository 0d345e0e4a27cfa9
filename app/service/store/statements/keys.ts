import { asc, eq, getTableColumns } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { apiKeys } from '../schema.ts';

type KeyRow = typeof apiKeys.$inferSelect;

export const keyStatements = {
  list: read(() => select(getTableColumns(apiKeys)).from(apiKeys).orderBy(asc(apiKeys.apiKey))),
  insert: write(($: Placeholders<KeyRow>) =>
    query
      .insert(apiKeys)
      .values(given(getTableColumns(apiKeys), $))
      .onConflictDoNothing({ target: apiKeys.apiKey }),
  ),
  revoke: write(($: Placeholders<Pick<KeyRow, 'apiKey'>>) =>
    query.update(apiKeys).set({ revoked: true }).where(eq(apiKeys.apiKey, $.apiKey)),
  ),
  change: write(($: Placeholders<Omit<KeyRow, 'source'>>) =>
    query
      .update(apiKeys)
      .set(given(pick(apiKeys, 'expiresAtMs', 'allowedAddresses', 'revoked'), $))
      .where(eq(apiKeys.apiKey, $.apiKey)),
  ),
};
