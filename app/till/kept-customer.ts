import type { Balances, CustomerProfile } from '../../shared/contract/profile.ts';
import type { Operation } from '../store/operation.ts';

/**
 * A customer as seen last, with what this till's own operations have told of the cards since.
 *
 * @param operations newest first, as far back as they are worth looking through
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

/** Null where nothing was told since, or where something was taken back after it was told. */
function balancesSince(asOfMs: number, operations: readonly Operation[]): Balances | null {
  const told = operations
    .flatMap(({ state, newBalances, completedAtMs, updatedAtMs }) =>
      state === 'applied' && newBalances !== null && completedAtMs !== null
        ? [{ newBalances, completedAtMs, updatedAtMs }]
        : [],
    )
    .toSorted((left, right) => right.completedAtMs - left.completedAtMs)[0];
  if (told === undefined || told.completedAtMs <= asOfMs) return null;
  const isTakenBackSince = operations.some(
    ({ state, updatedAtMs }) => state === 'reversed' && updatedAtMs >= told.updatedAtMs,
  );
  return isTakenBackSince ? null : told.newBalances;
}
