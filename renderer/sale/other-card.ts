import { type CardOperation, cardOperationsBy } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** By which of a card's operations it was taken, as far as its values tell; a reward and a coupon look alike. */
export function cardOperationsOf(operation: OperationView): readonly CardOperation[] {
  const { intent, points, stamps, visits } = operation;
  if (operation.one_shot) return cardOperationsBy('spend', ['reward', 'coupon']);
  const unit = points !== null ? 'points' : stamps !== null ? 'stamps' : visits !== null ? 'visits' : 'money';
  return cardOperationsBy(intent === 'earn' ? 'earn' : 'spend', [unit]);
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
