import { type CardOperation, cardOperationsBy } from '../../shared/contract/card-names.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** The card operations that an operation may have been entered by, as far as its values show. */
export function cardOperationsOf(operation: OperationView): readonly CardOperation[] {
  if (operation.one_shot) return cardOperationsBy('spend', [operation.is_coupon ? 'coupon' : 'reward']);
  const unit = carriedCount(operation)?.unit ?? 'money';
  return cardOperationsBy(operation.intent === 'earn' ? 'earn' : 'spend', [unit]);
}
