import type { CardEntry } from '../../shared/contract/profile.ts';
import type { TillError } from '../../shared/till/api.ts';
import type { FoundCustomer } from '../../shared/till/views.ts';
import { firstChoice } from '../operation/operations.ts';
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

/** A card of the customer in front as the service sent it; null when the customer is shown from memory. */
export function cardAsTold(stage: Stage, card: CardEntry | null): CardEntry | null {
  if (stage.kind !== 'customer' || stage.found.source !== 'service') return null;
  return stage.found.profile.cards.find(({ card_id }) => card_id === card?.card_id) ?? null;
}
