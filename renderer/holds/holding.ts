import {
  type CardOperation,
  type CardOperationWith,
  cardOperations,
  cardOperationTable,
} from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { ConnectionState } from '../../shared/till/views.ts';
import { operationButtons, type SpendFacts, type Unavailable } from '../operation/operations.ts';

type Holdable = CardOperationWith<{ isHoldable: true }>;

const isHoldable = (operation: CardOperation): operation is Holdable => 'isHoldable' in cardOperationTable[operation];

/** What of this card can be held for an order, in the specification's order; none: it is not offered. */
export function holdableOf(card: CardEntry | null): readonly Holdable[] {
  return cardOperations.filter(isHoldable).filter((operation) => card?.allowed_operations.includes(operation) === true);
}

/** Why nothing can be held now: what keeps a redemption of the card from being taken keeps a hold, too. */
export function whyNotHold(card: CardEntry, connection: ConnectionState, facts: SpendFacts): Unavailable | null {
  return operationButtons(holdableOf(card), connection, facts)[0]?.unavailable ?? null;
}

/** How long a hold can be asked for, in minutes; the service's own default is the first (decisions "Reservations"). */
export const holdMinutes = [15, 30, 60, 120] as const;
