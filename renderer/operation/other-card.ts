import { type CardOperation, cardOperationsBy } from '../../shared/contract/card-names.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** By which of a card's operations it was taken, as far as its values tell; a reward and a coupon look alike. */
export function cardOperationsOf(operation: OperationView): readonly CardOperation[] {
  if (operation.one_shot) return cardOperationsBy('spend', ['reward', 'coupon']);
  const unit = carriedCount(operation)?.unit ?? 'money';
  return cardOperationsBy(operation.intent === 'earn' ? 'earn' : 'spend', [unit]);
}
