import {
  type CardOperation,
  type CardOperationWith,
  cardOperations,
  cardOperationTable,
} from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { ConnectionState } from '../../shared/till/views.ts';

export type EarnOperation = CardOperationWith<{ way: 'earn' }>;
export const earnOperations: readonly EarnOperation[] = cardOperations.filter(isEarnOperation);

/** Why a button cannot be pressed now; the screen has words for each. */
export type Unavailable = 'needs_connection' | 'checking' | 'unknown_operation';

export interface OperationButton {
  /** The operation's name in the service's answer. */
  readonly operation: string;
  /** Null for an operation that this version does not know. */
  readonly known: CardOperation | null;
  /** Null: it can be pressed. */
  readonly unavailable: Unavailable | null;
}

/** What stops a redemption from a card, apart from the connection. */
export interface SpendFacts {
  readonly isChecking: boolean;
  readonly isKept: boolean;
}

/**
 * One button for each operation that the card allows, in the specification's order, unknown ones last. Nothing else
 * gets a button.
 *
 * @param isChecking a redemption or a hold of this card is being checked: nothing else is spent from the card meanwhile
 * @param isKept the card is shown from memory: what may have changed is not spent
 */
export function operationButtons(
  allowed: readonly string[],
  connection: ConnectionState,
  { isChecking, isKept }: SpendFacts = { isChecking: false, isKept: false },
): readonly OperationButton[] {
  const known = cardOperations
    .filter((operation) => allowed.includes(operation))
    .map((operation): OperationButton => {
      const unavailable =
        whyNot(operation, connection, isKept) ?? (isChecking && !isEarnOperation(operation) ? 'checking' : null);
      return { operation, known: operation, unavailable };
    });
  const unknown = [...new Set(allowed)]
    .filter((operation) => !isCardOperation(operation))
    .map((operation): OperationButton => ({ operation, known: null, unavailable: 'unknown_operation' }));
  return [...known, ...unknown];
}

function whyNot(operation: CardOperation, connection: ConnectionState, isKept: boolean): Unavailable | null {
  if (isEarnOperation(operation)) return null;
  return canAskNow(connection) && !isKept ? null : 'needs_connection';
}

/** Whether the service can answer at once. A wrong clock does not prevent an answer. */
export function canAskNow(connection: ConnectionState): boolean {
  return connection === 'online' || connection === 'clock_wrong';
}

export function isEarnOperation(operation: string): operation is EarnOperation {
  return isCardOperation(operation) && cardOperationTable[operation].way === 'earn';
}

function isCardOperation(operation: string): operation is CardOperation {
  return Object.hasOwn(cardOperationTable, operation);
}

/** The card's earns, in the specification's order. */
export function earnsOf(card: CardEntry): readonly EarnOperation[] {
  return earnOperations.filter((operation) => card.allowed_operations.includes(operation));
}

/**
 * The only earn, when only one card can earn and in only one way. Its entry opens at once, because nothing is left to
 * choose.
 */
export function onlyEarn(
  cards: readonly CardEntry[],
): { readonly card: CardEntry; readonly operation: EarnOperation } | null {
  const [choice, ...others] = cards.flatMap((card) => earnsOf(card).map((operation) => ({ card, operation })));
  return choice !== undefined && others.length === 0 ? choice : null;
}

/**
 * The card that is chosen first: the scanned one when it is known, else the first that can earn, else the first.
 *
 * @param scannedNumber the number of a card, which may differ from the card's id; null when no card was scanned
 * @returns null when there is no card, and when several may have this number: the cashier chooses
 */
export function firstChoice(cards: readonly CardEntry[], scannedNumber: string | null): CardEntry | null {
  const scanned = cards.find((card) => card.card_id === scannedNumber);
  if (scanned !== undefined) return scanned;
  const earning = cards.filter((card) => earnsOf(card).length > 0);
  const [first = null, ...others] = earning.length > 0 ? earning : cards;
  return scannedNumber !== null && others.length > 0 ? null : first;
}
