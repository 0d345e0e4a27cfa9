import type { OperationView } from '../../shared/till/views.ts';
import { type Balance, balancesOf, earnedDimension } from './balances.ts';
import type { Outcome } from './shown-outcome.ts';

/**
 * How much a purchase brought: the balance that the service tells now, less the one that was shown before. The service does
 * not say it itself.
 *
 * @param recent the last operations of this till
 * @returns null where something else of this card ran meanwhile, or nobody knows what it held before
 */
export function gained({ operation, cardBefore }: Outcome, recent: readonly OperationView[]): Balance | null {
  const { new_balances, card_id, saved_at, operation_id } = operation;
  if (cardBefore === null || new_balances === null || cardBefore.card_id !== card_id) return null;
  const isAlone = recent.every(
    (other) =>
      other.operation_id === operation_id ||
      other.card_id !== card_id ||
      (other.updated_at < saved_at && !movesTheCard.has(other.state)),
  );
  const dimension = earnedDimension(cardBefore);
  const before = balancesOf(cardBefore.balances).find((balance) => balance.dimension === dimension);
  const after = balancesOf(new_balances).find((balance) => balance.dimension === dimension);
  if (!isAlone || before === undefined || after === undefined) return null;
  // Points have up to three decimals.
  const value = Math.round((after.value - before.value) * 1000) / 1000;
  // Points that became a reward are fewer than before.
  return value > 0 ? { ...after, value } : null;
}

/** What is in one of these states may still change the balance. */
const movesTheCard: ReadonlySet<OperationView['state']> = new Set(['queued', 'sending', 'unknown', 'accepted']);
