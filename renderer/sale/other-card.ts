import type { CardOperation } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** By which of a card's operations it was taken, as far as its values tell; a reward and a coupon look alike. */
export function cardOperationsOf(operation: OperationView): readonly CardOperation[] {
  const { intent, points, stamps, visits } = operation;
  if (intent === 'earn') {
    if (points !== null) return ['earn_points'];
    if (stamps !== null) return ['earn_stamp'];
    return [visits === null ? 'earn_amount' : 'earn_visit'];
  }
  if (operation.one_shot) return ['redeem_reward', 'redeem_coupon'];
  if (points !== null) return ['redeem_points'];
  if (stamps !== null) return ['redeem_stamp'];
  return [visits === null ? 'redeem_amount' : 'redeem_visit'];
}

/**
 * Whether there is another card to choose: one of the same customer that offers the same.
 *
 * @param cards of the customer in front
 * @param cardId the card that was refused; null, or a card that is not theirs: nothing is known of others
 */
export function hasOtherCard(
  cards: readonly CardEntry[],
  cardId: string | null,
  operations: readonly CardOperation[],
): boolean {
  if (!cards.some(({ card_id }) => card_id === cardId)) return false;
  return cards.some(
    ({ card_id, allowed_operations }) =>
      card_id !== cardId && operations.some((operation) => allowed_operations.includes(operation)),
  );
}
