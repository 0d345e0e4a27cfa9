import { type Balances, type CustomerProfile, readBalances } from '../../shared/contract/profile.ts';
import type { Operation } from '../store/schema/operation.ts';

/**
 * A saved customer, with the newer balances from this till's own operations. @param operations newest first, as far
 * back as they may matter
 */
export function keptCustomer(kept: CustomerProfile, operations: readonly Operation[]): CustomerProfile {
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
