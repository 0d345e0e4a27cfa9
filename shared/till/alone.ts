import type { OperationState } from '../machines/operation.ts';

/** What is in one of these states may still change the balance. */
const movesTheCard: ReadonlySet<OperationState> = new Set(['queued', 'sending', 'unknown', 'accepted']);

/**
 * Whether nothing else can have changed a card between two balances of it: then their difference is the one sale's.
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
