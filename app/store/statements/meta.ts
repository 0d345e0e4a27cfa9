import { eq, getTableColumns, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { meta } from '../schema/schema.ts';

export const metaStatements = {
  find: read(($: Placeholders<{ key: string }>) => select(pick(meta, 'value')).from(meta).where(eq(meta.key, $.key))),
  put: write(($: Placeholders<typeof meta.$inferSelect>) =>
    query
      .insert(meta)
      .values(given(getTableColumns(meta), $))
      // drizzle knows no EXCLUDED.
      .onConflictDoUpdate({ target: meta.key, set: { value: sql`excluded.value` } }),
  ),
  /** A number that begins with 1. */
  countUp: write(($: Placeholders<{ key: string }>) =>
    query
      .insert(meta)
      .values({ ...given(pick(meta, 'key'), $), value: '1' })
      .onConflictDoUpdate({ target: meta.key, set: { value: sql`CAST(${meta.value} AS INTEGER) + 1` } }),
  ),
  remove: write(($: Placeholders<{ key: string }>) => query.delete(meta).where(eq(meta.key, $.key))),
};
