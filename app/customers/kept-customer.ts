import type { Identifier } from '../../shared/contract/identifier.ts';
import { type Balances, type CustomerProfile, readBalances } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import type { Operation } from '../store/schema/operation.ts';

/** What this till knows without the service. */
interface KnownHere {
  readonly clock: Pick<Clock, 'now'>;
  /** How far the service's clock is ahead; null while nobody knows. */
  status(): { readonly clockSkewMs: number | null };
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
  const latestMs = latestNowMs(known);
  const operations = known
    .recentOperations({ limit: lookedThrough })
    .filter(({ completedAtMs }) => completedAtMs === null || completedAtMs <= latestMs);
  const asOfMs = Date.parse(kept.balances_as_of);
  return {
    ...kept,
    cards: kept.cards.map((card) => {
      const onCard = operations.filter((one) => (one.cardId ?? one.serviceCardId) === card.card_id);
      return { ...card, balances: balancesSince(asOfMs, onCard) ?? card.balances };
    }),
  };
}

/**
 * What is done has been done by now at the latest, by the service's clock or the till's: what has a later time is of a
 * test clock that was put back since, and tells nothing of what is. Without end while nobody knows the service's time.
 */
function latestNowMs(known: KnownHere): number {
  const { clockSkewMs } = known.status();
  return clockSkewMs === null
    ? Number.POSITIVE_INFINITY
    : known.clock.now() + Math.max(0, clockSkewMs) + greatestSkewMs;
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
