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

/** What can be held on this card for an order, in the specification's order. When it is empty, no hold is offered. */
export function holdableOf(card: CardEntry | null): readonly Holdable[] {
  return cardOperations.filter(isHoldable).filter((operation) => card?.allowed_operations.includes(operation) === true);
}

/** Why nothing can be held now; null when it can. The same facts that stop a redemption stop a hold. */
export function whyNotHold(card: CardEntry, connection: ConnectionState, facts: SpendFacts): Unavailable | null {
  return operationButtons(holdableOf(card), connection, facts)[0]?.unavailable ?? null;
}

/** How long a hold can be asked for, in minutes; the service's own default is the first (decisions "Reservations"). */
export const holdMinutes = [15, 30, 60, 120] as const;
