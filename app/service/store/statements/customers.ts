import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { except, given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { customers, externalIds } from '../schema.ts';

type PartnersId = Pick<typeof externalIds.$inferSelect, 'source' | 'externalId'>;

const stored = except(customers, 'position', 'lastPosition');
const customer = () => select(pick(customers, 'customerId', 'name', 'phone', 'email', 'verified')).from(customers);

export const customerStatements = {
  insert: write(($: Placeholders<Omit<typeof customers.$inferSelect, 'position' | 'lastPosition'>>) =>
    query.insert(customers).values({
      ...given(stored, $),
      position: sql`(SELECT coalesce(max(${customers.position}), 0) + 1 FROM ${customers})`,
    }),
  ),
  addExternalId: write(($: Placeholders<typeof externalIds.$inferSelect>) =>
    query.insert(externalIds).values(given(getTableColumns(externalIds), $)),
  ),
  removeExternalId: write(($: Placeholders<{ source: string; customerId: string }>) =>
    query.delete(externalIds).where(and(eq(externalIds.customerId, $.customerId), eq(externalIds.source, $.source))),
  ),
  byId: read(($: Placeholders<{ customerId: string }>) => customer().where(eq(customers.customerId, $.customerId))),
  byPhone: read(($: Placeholders<{ phone: string }>) => customer().where(eq(customers.phone, $.phone))),
  byEmail: read(($: Placeholders<{ email: string }>) => customer().where(eq(customers.email, $.email))),
  byExternalId: read(($: Placeholders<PartnersId>) =>
    customer().where(
      eq(
        customers.customerId,
        query
          .select({ customerId: externalIds.customerId })
          .from(externalIds)
          .where(and(eq(externalIds.source, $.source), eq(externalIds.externalId, $.externalId))),
      ),
    ),
  ),
  externalId: read(($: Placeholders<{ source: string; customerId: string }>) =>
    select(pick(externalIds, 'externalId'))
      .from(externalIds)
      .where(and(eq(externalIds.customerId, $.customerId), eq(externalIds.source, $.source))),
  ),
  list: read(($: Placeholders<{ limit: number }>) => customer().orderBy(asc(customers.position)).limit($.limit)),
};
