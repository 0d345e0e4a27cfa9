import { isAlone } from '../../../shared/till/alone.ts';
import type { Balance } from '../../../shared/till/balances.ts';
import { gainOf } from '../../../shared/till/gain.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { Outcome } from './shown-outcome.ts';

/**
 * How much a purchase added: the balance that the service reports now, less the balance shown before. The service does
 * not report the difference.
 *
 * @param recent the last operations of this till
 * @returns null when another operation changed this card meanwhile, when the balance before is unknown, or for an earn by number
 */
export function gained({ operation, cardBefore }: Outcome, recent: readonly OperationView[]): Balance | null {
  const { new_balances, card_id, saved_at, updated_at, operation_id } = operation;
  if (cardBefore === null || new_balances === null || cardBefore.card_id !== card_id) return null;
  const between = { fromMs: Date.parse(saved_at), untilMs: Date.parse(updated_at) };
  const others = recent
    .filter((other) => other.operation_id !== operation_id && other.card_id === card_id)
    .map(({ state, ...other }) => ({
      state,
      savedAtMs: Date.parse(other.saved_at),
      updatedAtMs: Date.parse(other.updated_at),
    }));
  return isAlone(between, others) ? gainOf(operation, cardBefore, new_balances) : null;
}
