import type { Balances } from '../../../shared/contract/profile.ts';
import type { Card } from '../store/card-store.ts';
import type { Store } from '../store/store.ts';
import { addDeltas, type Deltas, type Holds, shownBalances } from './mechanics.ts';
import { findTemplate } from './templates.ts';

/**
 * Takes what a redemption costs off its card, which was found to cover it.
 *
 * @param holds what is held of the card afterwards
 * @returns the balances as they are shown
 */
export function spend(
  store: Store,
  card: Card,
  { deltas, holds }: { readonly deltas: Deltas; readonly holds: Holds },
): Balances {
  const balances = addDeltas(card.balances, deltas);
  if (balances === null) throw new Error('Spending made a balance too large to count');
  store.cards.setBalances(card.cardId, balances);
  const mechanics = findTemplate(card.templateId)?.mechanics ?? null;
  return shownBalances(mechanics, { balances, currency: card.currency, holds });
}
