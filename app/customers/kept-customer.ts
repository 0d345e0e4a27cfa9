import type { Identifier } from '../../shared/contract/identifier.ts';
import { type Balances, type CustomerProfile, readBalances } from '../../shared/contract/profile.ts';
import type { Operation } from '../store/schema/operation.ts';

/** What this till knows without the service. */
interface KnownHere {
  keptProfile(identifier: Identifier): CustomerProfile | null;
  /** Newest first. */
  recentOperations(options: { readonly limit: number }): readonly Operation[];
}

/** How many of this till's last operations are searched for newer balances of a saved customer. */
const lookedThrough = 100;

/**
 * A customer as they were seen last, with the newer balances from this till's own operations; null for one who was not
 * seen here.
 */
export function keptCustomer(known: KnownHere, identifier: Identifier): CustomerProfile | null {
  const kept = known.keptProfile(identifier);
  if (kept === null) return null;
  const operations = known.recentOperations({ limit: lookedThrough });
  const asOfMs = Date.parse(kept.balances_as_of);
  return {
    ...kept,
    cards: kept.cards.map((card) => {
      const onCard = operations.filter((one) => (one.cardId ?? one.serviceCardId) === card.card_id);
      return { ...card, balances: balancesSince(asOfMs, onCard) ?? card.balances };
    }),
  };
}

/** The newest balances of a card; null when there are none, or when an operation was reversed after them. */
function balancesSince(asOfMs: number, operations: readonly Operation[]): Balances | null {
  const told = operations
    .flatMap(({ state, newBalances, completedAtMs, updatedAtMs }) => {
      const balances = readBalances(newBalances);
      return state === 'applied' && balances !== null && completedAtMs !== null
        ? [{ balances, completedAtMs, updatedAtMs }]
        : [];
    })
    .toSorted((left, right) => right.completedAtMs - left.completedAtMs)[0];
  if (told === undefined || told.completedAtMs <= asOfMs) return null;
  const isTakenBackSince = operations.some(
    ({ state, updatedAtMs }) => state === 'reversed' && updatedAtMs >= told.updatedAtMs,
  );
  return isTakenBackSince ? null : told.balances;
}
