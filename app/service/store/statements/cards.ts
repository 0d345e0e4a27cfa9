import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { dimensions } from '../../rules/templates.ts';
import { cards } from '../schema.ts';

type CardRow = typeof cards.$inferSelect;

const { position: _, ...stored } = getTableColumns(cards);
const card = () => select(stored).from(cards);

export const cardStatements = {
  insert: write(($: Placeholders<Omit<CardRow, 'position'>>) => query.insert(cards).values(given(stored, $))),
  byId: read(($: Placeholders<{ cardId: string }>) => card().where(eq(cards.cardId, $.cardId))),
  byLoyaltyId: read(($: Placeholders<{ loyaltyId: string }>) => card().where(eq(cards.loyaltyId, $.loyaltyId))),
  ofCustomer: read(($: Placeholders<{ customerId: string }>) =>
    card().where(eq(cards.customerId, $.customerId)).orderBy(asc(cards.position)),
  ),
  setBalances: write(($: Placeholders<Pick<CardRow, 'cardId' | (typeof dimensions)[number]>>) =>
    query
      .update(cards)
      .set(given(pick(cards, ...dimensions), $))
      .where(eq(cards.cardId, $.cardId)),
  ),
  changeCurrency: write(($: Placeholders<{ from: string; to: string }>) =>
    query
      .update(cards)
      .set({ currency: sql`${$.to}` })
      .where(eq(cards.currency, $.from)),
  ),
  setSuspended: write(($: Placeholders<Pick<CardRow, 'cardId' | 'suspended'>>) =>
    query
      .update(cards)
      .set(given(pick(cards, 'suspended'), $))
      .where(eq(cards.cardId, $.cardId)),
  ),
};
