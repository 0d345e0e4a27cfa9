import type { ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import { type GivenBalances, givenBalances } from './mechanics.ts';
import { randomDigits } from './random-text.ts';
import { findTemplate, type Mechanics } from './templates.ts';

/** A card to be issued. What is left out is made. */
interface NewCard {
  readonly customerId: string;
  readonly templateId: string;
  readonly loyaltyId?: string | undefined;
  readonly suspended?: boolean;
  /** What is left out starts where a new card does. */
  readonly balances?: GivenBalances;
  readonly currency?: string | undefined;
}

export function issueCard(context: ServiceContext, card: NewCard): Card {
  const mechanics = findTemplate(card.templateId)?.mechanics ?? null;
  const issued: Card = {
    cardId: context.makeId('card'),
    customerId: card.customerId,
    templateId: card.templateId,
    loyaltyId: card.loyaltyId ?? newLoyaltyId(context),
    suspended: card.suspended ?? false,
    balances: givenBalances(mechanics, card.balances ?? {}),
    currency: holdsMoney(mechanics) ? (card.currency ?? context.settings.current.currency) : null,
  };
  context.store.cards.insert(issued);
  return issued;
}

/** Only a card with cashback has a currency. */
export function holdsMoney(mechanics: Mechanics | null): boolean {
  return mechanics?.dimensions.includes('cashback_minor') ?? false;
}

/** A card number as it would be printed, not taken yet. */
function newLoyaltyId({ random, store }: ServiceContext): string {
  for (;;) {
    const loyaltyId = `LC-${randomDigits(random, 8)}`;
    if (store.cards.byLoyaltyId(loyaltyId) === null) return loyaltyId;
  }
}
