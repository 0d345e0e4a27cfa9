import type { Identifier } from '../../../shared/contract/identifier.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import { checkCurrency, chooseCard, currencyOf } from './choose-card.ts';
import { findCustomer } from './find-customer.ts';
import { type Holds, rewardsAvailable } from './mechanics.ts';
import { checkCovered, costOnCard, type DefiniteCost, refuseUncovered, type Spending } from './spending.ts';
import { findTemplate } from './templates.ts';

/** What a redemption or a reservation asks for. */
interface SpendingRequest {
  readonly source: string;
  readonly spending: Spending;
  readonly body: {
    readonly identifier: Identifier;
    readonly card_id?: string | undefined;
    readonly coupon_code?: string | undefined;
    readonly amount_minor?: number | undefined;
    readonly currency?: string | undefined;
  };
}

/** The card that can pay for it, and what it costs there. */
interface Covered {
  readonly kind: 'covered';
  readonly card: Card;
  readonly cost: DefiniteCost;
  /** What reservations hold of the card. */
  readonly holds: Holds;
}

/** Finds the customer, chooses the card and makes sure that what is not held of it covers the cost. */
export function cover(context: ServiceContext, { source, spending, body }: SpendingRequest): Covered | Refusal {
  const { store, settings, clock } = context;
  const found = findCustomer(context, { identifier: body.identifier, source, where: 'identifier' });
  if (found.kind === 'refused') return found;
  const { coupon_code: couponCode, card_id: cardId } = body;
  // A coupon's code is its card_id (spec "POST /transactions/redeem"); it names the card as card_id does.
  if (couponCode !== undefined && cardId !== undefined && cardId !== couponCode) {
    return refuse('CARD_NOT_ELIGIBLE', 'coupon_code and card_id name different cards.');
  }
  const cards = store.cards.ofCustomer(found.customerId);
  const used = checkUsedCoupon(cards.find((card) => card.cardId === couponCode));
  if (used !== null) return used;
  const chosen = chooseCard({
    cards: () => cards,
    operation: spending.operation,
    cardId: couponCode ?? cardId,
    scannedCard: found.scannedCard,
  });
  if (chosen.kind === 'refused') return chosen;
  const { card } = chosen;
  const mismatch = checkCurrency(card, currencyOf(body), settings.current.currency);
  if (mismatch !== null) return mismatch;
  const holds = store.reservations.heldOn(card.cardId, clock.now());
  if (spending.operation === 'redeem_reward' && isEveryRewardHeld(card, holds)) return refuseUncovered();
  const cost = costOnCard(card, spending);
  if (cost.kind === 'refused') return cost;
  return checkCovered(card, holds, cost) ?? { kind: 'covered', card, cost, holds };
}

/** Told before the choice of a reward: none is listed to choose from then (gap: Which card). */
function isEveryRewardHeld(card: Card, holds: Holds): boolean {
  const mechanics = findTemplate(card.templateId)?.mechanics ?? null;
  return mechanics !== null && rewardsAvailable(mechanics, card.balances, holds) === 0;
}

/** Told before eligibility (gap: Which card). */
function checkUsedCoupon(card: Card | undefined): Refusal | null {
  if (card === undefined || card.balances.rewards_available !== 0) return null;
  const mechanics = findTemplate(card.templateId)?.mechanics;
  const isCoupon = mechanics?.redeems.some(({ operation }) => operation === 'redeem_coupon') ?? false;
  return isCoupon ? refuse('COUPON_ALREADY_REDEEMED', 'This coupon was redeemed already.') : null;
}
