import { eq, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { state } from '../schema.ts';

export const stateStatements = {
  find: read(($: Placeholders<{ name: string }>) =>
    select(pick(state, 'value')).from(state).where(eq(state.name, $.name)),
  ),
  put: write(($: Placeholders<typeof state.$inferSelect>) =>
    query
      .insert(state)
      .values(given(pick(state, 'name', 'value'), $))
      // drizzle knows no EXCLUDED.
      .onConflictDoUpdate({ target: state.name, set: { value: sql`excluded.value` } }),
  ),
};
