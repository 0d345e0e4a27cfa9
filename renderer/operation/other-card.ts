import { type CardOperation, cardOperationsBy } from '../../shared/contract/card-names.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** By which of a card's operations it was taken, as far as its values tell; a reward and a coupon look alike. */
export function cardOperationsOf(operation: OperationView): readonly CardOperation[] {
  const { intent, points, stamps, visits } = operation;
  if (operation.one_shot) return cardOperationsBy('spend', ['reward', 'coupon']);
  const unit = points !== null ? 'points' : stamps !== null ? 'stamps' : visits !== null ? 'visits' : 'money';
  return cardOperationsBy(intent === 'earn' ? 'earn' : 'spend', [unit]);
}
