import type { CardEntry } from '../../shared/contract/profile.ts';
import type { TillError } from '../../shared/till/api.ts';
import type { FoundCustomer } from '../../shared/till/views.ts';
import { maskedContact } from '../copy/format.ts';
import { firstChoice } from '../operation/operations.ts';
import type { EntryFor } from '../sale/entry/entry-flow.ts';
import type { LookUp } from './shape.ts';

/** What the sale screen shows in its middle: nobody, a look-up, its failure, or a customer. */
export type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'finding'; readonly lookUp: LookUp }
  | { readonly kind: 'missing'; readonly lookUp: LookUp; readonly error: TillError }
  | {
      readonly kind: 'customer';
      readonly lookUp: LookUp;
      readonly found: FoundCustomer;
      /** Null: the customer has no card, or the cashier still has to choose it. */
      readonly cardId: string | null;
    };

/** The card that is chosen for a customer who was looked up so; null when the cashier has to choose, or has none to. */
export function chosenAtFirst(cards: readonly CardEntry[], { kind, text }: LookUp): CardEntry | null {
  return firstChoice(cards, kind === 'card' ? text : null);
}

/** The cards of the customer in front; none when there is no customer. */
export function cardsOf(stage: Stage): readonly CardEntry[] {
  return stage.kind === 'customer' ? stage.found.profile.cards : [];
}

/** The chosen card; null when there is none. */
export function cardOf(stage: Stage): CardEntry | null {
  if (stage.kind !== 'customer') return null;
  return stage.found.profile.cards.find(({ card_id }) => card_id === stage.cardId) ?? null;
}

/** The card before or after the chosen one; null at the end of the list, and when there is no customer in front. */
export function cardBeside(stage: Stage, step: 1 | -1): CardEntry | null {
  if (stage.kind !== 'customer') return null;
  const { cards } = stage.found.profile;
  return cards[cards.findIndex(({ card_id }) => card_id === stage.cardId) + step] ?? null;
}

/** The customer and the card for an entry; null when there is no customer in front. */
export function entryForOf(stage: Stage): EntryFor | null {
  if (stage.kind !== 'customer') return null;
  const { profile } = stage.found;
  const { customer_id, name } = profile;
  return { identifier: { customer_id }, customerName: name, card: cardOf(stage), hint: maskedContact(profile) };
}

/** A card of the customer in front as the service sent it; null when the customer is shown from memory. */
export function cardAsTold(stage: Stage, card: CardEntry | null): CardEntry | null {
  if (stage.kind !== 'customer' || stage.found.source !== 'service') return null;
  return stage.found.profile.cards.find(({ card_id }) => card_id === card?.card_id) ?? null;
}
