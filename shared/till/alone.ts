import { isWaiting, type OperationState } from '../machines/operation.ts';

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
      savedAtMs > between.untilMs || (updatedAtMs < between.fromMs && !isWaiting(state)),
  );
}
