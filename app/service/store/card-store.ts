import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { StoredBalances } from '../rules/mechanics.ts';
import type { ServiceDatabase } from './open.ts';
import { cardStatements } from './statements/cards.ts';

type CardRow = RowOf<typeof cardStatements.byId>;

export type Card = Omit<CardRow, keyof StoredBalances> & { readonly balances: StoredBalances };

export interface CardStore {
  insert(card: Card): void;
  byId(cardId: string): Card | null;
  byLoyaltyId(loyaltyId: string): Card | null;
  /** In the order they were issued. */
  ofCustomer(customerId: string): readonly Card[];
  setBalances(cardId: string, balances: StoredBalances): void;
  setSuspended(cardId: string, suspended: boolean): void;
  /** Every card that holds money in `from` holds as many minor units of `to`. */
  changeCurrency(from: string, to: string): void;
}

export function createCardStore(database: ServiceDatabase): CardStore {
  const { insert, setBalances, setSuspended, changeCurrency, ...reads } = prepareAll(database, cardStatements);
  return {
    insert: ({ balances, ...card }) => void insert.run({ ...card, ...balances }),
    byId: (cardId) => fromRow(reads.byId.get({ cardId })),
    byLoyaltyId: (loyaltyId) => fromRow(reads.byLoyaltyId.get({ loyaltyId })),
    ofCustomer: (customerId) => reads.ofCustomer.all({ customerId }).map(toCard),
    setBalances: (cardId, balances) => void setBalances.run({ cardId, ...balances }),
    setSuspended: (cardId, suspended) => void setSuspended.run({ cardId, suspended }),
    changeCurrency: (from, to) => void changeCurrency.run({ from, to }),
  };
}

function fromRow(row: CardRow | null): Card | null {
  return row === null ? null : toCard(row);
}

function toCard(row: CardRow): Card {
  const { cardId, customerId, templateId, loyaltyId, suspended, currency } = row;
  const { points, cashback_minor, stamps, visits, rewards_available } = row;
  const balances = { points, cashback_minor, stamps, visits, rewards_available };
  return { cardId, customerId, templateId, loyaltyId, suspended, currency, balances };
}
