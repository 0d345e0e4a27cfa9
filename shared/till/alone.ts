import type { OperationState } from '../machines/operation.ts';

/** The states in which an operation may still change the balance. */
const movesTheCard: ReadonlySet<OperationState> = new Set(['queued', 'sending', 'unknown', 'accepted']);

/**
 * Whether no other operation can have changed the card between two of its balances. Then their difference comes from
 * this sale.
 *
 * @param others the other operations of the card, as far as this till knows them
 */
export function isAlone(
  between: { readonly fromMs: number; readonly untilMs: number },
  others: readonly { readonly state: OperationState; readonly savedAtMs: number; readonly updatedAtMs: number }[],
): boolean {
  return others.every(
    ({ state, savedAtMs, updatedAtMs }) =>
      savedAtMs > between.untilMs || (updatedAtMs < between.fromMs && !movesTheCard.has(state)),
  );
}
