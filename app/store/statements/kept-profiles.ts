import { desc, eq, getTableColumns, gt, inArray, lt, or, sql } from 'drizzle-orm';
import { except, given, type Placeholders, query, read, select, write } from '../../sql/compile.ts';
import { keptProfileNames, keptProfiles } from '../schema/people-schema.ts';

const profile = () => select(getTableColumns(keptProfiles)).from(keptProfiles);

export const keptProfileStatements = {
  put: write(($: Placeholders<Omit<typeof keptProfiles.$inferSelect, 'history'>>) =>
    query
      .insert(keptProfiles)
      .values(given(except(keptProfiles, 'history'), $))
      .onConflictDoUpdate({
        target: keptProfiles.customer,
        // drizzle knows no EXCLUDED.
        set: { nonce: sql`excluded.nonce`, sealed: sql`excluded.sealed`, seenAtMs: sql`excluded.seen_at` },
      }),
  ),
  // Of somebody who is not kept there is no row.
  history: write(($: Placeholders<{ customer: Buffer; history: Buffer }>) =>
    query
      .update(keptProfiles)
      .set(given({ history: keptProfiles.history }, $))
      .where(eq(keptProfiles.customer, $.customer)),
  ),
  name: write(($: Placeholders<typeof keptProfileNames.$inferSelect>) =>
    query
      .insert(keptProfileNames)
      .values(given(getTableColumns(keptProfileNames), $))
      .onConflictDoUpdate({ target: keptProfileNames.name, set: { customer: sql`excluded.customer` } }),
  ),
  find: read(($: Placeholders<{ name: Buffer }>) =>
    profile().where(
      eq(
        keptProfiles.customer,
        query
          .select({ customer: keptProfileNames.customer })
          .from(keptProfileNames)
          .where(eq(keptProfileNames.name, $.name)),
      ),
    ),
  ),
  all: read(() => profile()),
  newest: read(() => profile().orderBy(desc(keptProfiles.seenAtMs)).limit(1)),
  remove: write(($: Placeholders<{ customer: Buffer }>) =>
    query.delete(keptProfiles).where(eq(keptProfiles.customer, $.customer)),
  ),
  removeName: write(($: Placeholders<{ name: Buffer }>) =>
    query.delete(keptProfileNames).where(eq(keptProfileNames.name, $.name)),
  ),
  outside: write(($: Placeholders<{ fromMs: number; toMs: number }>) =>
    query.delete(keptProfiles).where(or(lt(keptProfiles.seenAtMs, $.fromMs), gt(keptProfiles.seenAtMs, $.toMs))),
  ),
  beyond: write(($: Placeholders<{ most: number }>) =>
    query.delete(keptProfiles).where(
      inArray(
        keptProfiles.customer,
        query
          .select({ customer: keptProfiles.customer })
          .from(keptProfiles)
          .orderBy(desc(keptProfiles.seenAtMs))
          // An OFFSET needs one.
          .limit(Number.MAX_SAFE_INTEGER)
          .offset($.most),
      ),
    ),
  ),
};

/** In this order, of a database of any version that has them. */
export const keptProfileErasure = {
  names: write(() => query.delete(keptProfileNames)),
  profiles: write(() => query.delete(keptProfiles)),
};
