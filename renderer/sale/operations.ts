import { type CardOperation, cardOperations } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { ConnectionState } from '../../shared/till/views.ts';

export const earnOperations = ['earn_amount', 'earn_points', 'earn_stamp', 'earn_visit'] as const;
export type EarnOperation = (typeof earnOperations)[number];

/** Why a button cannot be pressed now; the screen has words for each. */
export type Unavailable = 'needs_connection' | 'unknown_operation';

export interface OperationButton {
  /** As the service wrote it. */
  readonly operation: string;
  /** Null for an operation that this version does not know. */
  readonly known: CardOperation | null;
  /** Null: it can be pressed. */
  readonly unavailable: Unavailable | null;
}

/**
 * One button for each operation that the card allows, in the specification's order, unknown ones last. Nothing else:
 * no operation, no button.
 */
export function operationButtons(allowed: readonly string[], connection: ConnectionState): readonly OperationButton[] {
  const known = cardOperations
    .filter((operation) => allowed.includes(operation))
    .map((operation): OperationButton => ({ operation, known: operation, unavailable: whyNot(operation, connection) }));
  const unknown = [...new Set(allowed)]
    .filter((operation) => !isCardOperation(operation))
    .map((operation): OperationButton => ({ operation, known: null, unavailable: 'unknown_operation' }));
  return [...known, ...unknown];
}

function whyNot(operation: CardOperation, connection: ConnectionState): Unavailable | null {
  if (isEarnOperation(operation)) return null;
  // A wrong clock keeps nobody from being answered.
  return connection === 'online' || connection === 'clock_wrong' ? null : 'needs_connection';
}

export function isEarnOperation(operation: string): operation is EarnOperation {
  return (earnOperations as readonly string[]).includes(operation);
}

function isCardOperation(operation: string): operation is CardOperation {
  return (cardOperations as readonly string[]).includes(operation);
}

/** The card's earns, in the specification's order. */
export function earnsOf(card: CardEntry): readonly EarnOperation[] {
  return earnOperations.filter((operation) => card.allowed_operations.includes(operation));
}

/** When only one card can earn, and in one way only, nothing is left to choose: its dialog opens at once. */
export function onlyEarn(
  cards: readonly CardEntry[],
): { readonly card: CardEntry; readonly operation: EarnOperation } | null {
  const [choice, ...others] = cards.flatMap((card) => earnsOf(card).map((operation) => ({ card, operation })));
  return choice !== undefined && others.length === 0 ? choice : null;
}

/** The card to stand on first: the scanned one if it can be told, else the first that can earn, else the first. */
export function firstChoice(cards: readonly CardEntry[], scannedCard: string | null): CardEntry | null {
  return (
    cards.find((card) => card.card_id === scannedCard) ??
    cards.find((card) => earnsOf(card).length > 0) ??
    cards[0] ??
    null
  );
}
