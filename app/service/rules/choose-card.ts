import type { CardOperation } from '../../../shared/contract/card-names.ts';
import { defaultCurrency } from '../../../shared/contract/default-currency.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { Card } from '../store/card-store.ts';
import { allowedOperations } from './mechanics.ts';
import { findTemplate } from './templates.ts';

/** What there is to choose from. */
interface CardChoice {
  /** All cards of the customer; looked up only when they are asked for. */
  readonly cards: () => readonly Card[];
  readonly operation: CardOperation;
  /** The card that the caller named. */
  readonly cardId: string | undefined;
  /** The card that was scanned. */
  readonly scannedCard: Card | null;
}

type ChosenCard = { readonly kind: 'chosen'; readonly card: Card } | Refusal;

/** The card that a write is for: the named one, the scanned one, or the only one that can (gap: Which card). */
export function chooseCard({ cards: cardsOfCustomer, operation, cardId, scannedCard }: CardChoice): ChosenCard {
  if (cardId !== undefined) {
    const named = cardsOfCustomer().find((card) => card.cardId === cardId);
    if (named === undefined) return refuse('CARD_NOT_ELIGIBLE', 'The card does not belong to this customer.');
    return demand(named, operation);
  }
  if (scannedCard !== null) return demand(scannedCard, operation);
  const cards = cardsOfCustomer();
  const eligible = cards.filter((card) => offers(card, operation));
  const [only, second] = eligible;
  if (only === undefined) {
    if (cards.length > 0 && cards.every(hasUnknownMechanics)) return refuseUnknownMechanics();
    return refuse('CARD_NOT_ELIGIBLE', `No card of this customer offers ${operation}.`);
  }
  if (second !== undefined) {
    return refuse('CARD_NOT_ELIGIBLE', `Several cards of this customer offer ${operation}: name one by card_id.`, {
      details: ['card_id_required'],
    });
  }
  return { kind: 'chosen', card: only };
}

function demand(card: Card, operation: CardOperation): ChosenCard {
  if (hasUnknownMechanics(card)) return refuseUnknownMechanics();
  if (offers(card, operation)) return { kind: 'chosen', card };
  const why = card.suspended ? 'The card is suspended.' : `The card does not offer ${operation} now.`;
  return refuse('CARD_NOT_ELIGIBLE', why);
}

function offers(card: Card, operation: CardOperation): boolean {
  return allowedOperations(findTemplate(card.templateId)?.mechanics ?? null, card).includes(operation);
}

function hasUnknownMechanics(card: Card): boolean {
  return (findTemplate(card.templateId)?.mechanics ?? null) === null;
}

function refuseUnknownMechanics(): Refusal {
  return refuse('TEMPLATE_MECHANICS_UNKNOWN', 'The service does not know how cards of this template work.');
}

/**
 * The currency of a request: an amount without one is in the specification's, whatever the tenant's own (spec "Limits").
 * Null for a request without an amount, whatever it names (gap: Money, time, ids).
 */
export function currencyOf(body: {
  readonly amount_minor?: number | undefined;
  readonly currency?: string | undefined;
}): string | null {
  return body.amount_minor === undefined ? null : (body.currency ?? defaultCurrency);
}

/**
 * A currency other than the card's is refused; a card without one compares with the tenant's (gap: Which card).
 *
 * @param currency the request's, by `currencyOf`
 */
export function checkCurrency(card: Card, currency: string | null, tenantCurrency: string): Refusal | null {
  const expected = card.currency ?? tenantCurrency;
  if (currency === null || currency === expected) return null;
  return refuse('CARD_NOT_ELIGIBLE', `The card counts in ${expected}, not in ${currency}.`, {
    details: ['currency_mismatch'],
  });
}
