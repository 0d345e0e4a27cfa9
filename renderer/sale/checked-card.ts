import type { HoldView } from '../../shared/till/hold-views.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { isUnsettled } from '../operation/standing.ts';

/** What the page knows of operations; null: not read yet. */
interface Known {
  readonly operations: readonly OperationView[] | null;
  readonly holds: readonly HoldView[] | null;
}

/**
 * Whether nobody knows yet what is spent of a card or held on it. A hold that Recent no longer has, because many sales
 * came after it or the page was loaded anew, is in the list of holds.
 */
export function isCardChecked(cardId: string, { operations, holds }: Known): boolean {
  const recent = operations ?? [];
  return (
    recent.some((one) => one.card_id === cardId && isUnsettled(one)) ||
    (holds ?? []).some(
      ({ card_id, state, hold_id }) =>
        card_id === cardId && state === 'asking' && recent.every(({ operation_id }) => operation_id !== hold_id),
    )
  );
}
