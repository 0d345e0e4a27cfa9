import type { Card } from '../store/card-store.ts';
import type { Store } from '../store/store.ts';
import type { Holds } from './mechanics.ts';
import { findTemplate } from './templates.ts';

/** What is held of a card and makes its rewards fewer; the store is asked only for a card that pays rewards with it. */
export function holdsOnRewards(
  store: Pick<Store, 'reservations'>,
  { cardId, templateId }: Pick<Card, 'cardId' | 'templateId'>,
  nowMs: number,
): Holds {
  // Only points and cashback can be held (spec "POST /redemptions/reserve").
  const isHoldable = findTemplate(templateId)?.mechanics?.rewardPrice?.from === 'points';
  return isHoldable ? store.reservations.heldOn(cardId, nowMs) : {};
}
