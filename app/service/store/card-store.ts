import type { StoredBalances } from '../rules/mechanics.ts';
import type { ServiceDatabase } from './open.ts';

export interface Card {
  readonly cardId: string;
  readonly customerId: string;
  readonly templateId: string;
  readonly loyaltyId: string;
  readonly suspended: boolean;
  readonly balances: StoredBalances;
  /** Null for a card that holds no money. */
  readonly currency: string | null;
}

interface CardRow extends StoredBalances {
  readonly card_id: string;
  readonly customer_id: string;
  readonly template_id: string;
  readonly loyalty_id: string;
  readonly suspended: number;
  readonly currency: string | null;
}

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

const columns =
  'card_id, customer_id, template_id, loyalty_id, suspended, points, cashback_minor, stamps, visits, rewards_available, currency';

export function createCardStore(database: ServiceDatabase): CardStore {
  const insert = database.prepare<[Record<string, string | number | null>]>(
    `INSERT INTO cards (${columns})
     VALUES (:card_id, :customer_id, :template_id, :loyalty_id, :suspended, :points, :cashback_minor, :stamps, :visits,
       :rewards_available, :currency)`,
  );
  const byId = database.prepare<[string], CardRow>(`SELECT ${columns} FROM cards WHERE card_id = ?`);
  const byLoyaltyId = database.prepare<[string], CardRow>(`SELECT ${columns} FROM cards WHERE loyalty_id = ?`);
  // The `+` keeps SQLite from planning the statement anew for every value, which costs ten times the query itself.
  const ofCustomer = database.prepare<[string], CardRow>(
    `SELECT ${columns} FROM cards WHERE customer_id = +? ORDER BY position`,
  );
  type Amount = number | null;
  const setBalances = database.prepare<[Amount, Amount, Amount, Amount, Amount, string]>(
    `UPDATE cards SET points = ?, cashback_minor = ?, stamps = ?, visits = ?, rewards_available = ? WHERE card_id = ?`,
  );
  const setSuspended = database.prepare<[number, string]>('UPDATE cards SET suspended = ? WHERE card_id = ?');
  const changeCurrency = database.prepare<[string, string]>('UPDATE cards SET currency = ? WHERE currency = ?');
  return {
    insert(card) {
      insert.run({
        card_id: card.cardId,
        customer_id: card.customerId,
        template_id: card.templateId,
        loyalty_id: card.loyaltyId,
        suspended: Number(card.suspended),
        currency: card.currency,
        ...card.balances,
      });
    },
    byId: (cardId) => fromRow(byId.get(cardId)),
    byLoyaltyId: (loyaltyId) => fromRow(byLoyaltyId.get(loyaltyId)),
    ofCustomer: (customerId) => ofCustomer.all(customerId).map(toCard),
    setBalances(cardId, balances) {
      const { points, cashback_minor, stamps, visits, rewards_available } = balances;
      setBalances.run(points, cashback_minor, stamps, visits, rewards_available, cardId);
    },
    changeCurrency: (from, to) => void changeCurrency.run(to, from),
    setSuspended: (cardId, suspended) => void setSuspended.run(Number(suspended), cardId),
  };
}

function fromRow(row: CardRow | undefined): Card | null {
  return row === undefined ? null : toCard(row);
}

function toCard(row: CardRow): Card {
  const { points, cashback_minor, stamps, visits, rewards_available } = row;
  return {
    cardId: row.card_id,
    customerId: row.customer_id,
    templateId: row.template_id,
    loyaltyId: row.loyalty_id,
    suspended: row.suspended === 1,
    balances: { points, cashback_minor, stamps, visits, rewards_available },
    currency: row.currency,
  };
}
