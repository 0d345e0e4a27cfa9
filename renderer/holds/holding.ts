import type { CardEntry } from '../../shared/contract/profile.ts';
import type { ConnectionState } from '../../shared/till/views.ts';
import { operationButtons, type SpendFacts, type Unavailable } from '../sale/operations.ts';

/** What can be held of a card: what can be spent of it by an amount (spec "POST /redemptions/reserve"). */
export const holdable = ['redeem_amount', 'redeem_points'] as const;
export type Holdable = (typeof holdable)[number];

/** What of this card can be held for an order, in the specification's order; none: it is not offered. */
export function holdableOf(card: CardEntry | null): readonly Holdable[] {
  return holdable.filter((operation) => card?.allowed_operations.includes(operation) === true);
}

/** Why nothing can be held now: what keeps a redemption of the card from being taken keeps a hold, too. */
export function whyNotHold(card: CardEntry, connection: ConnectionState, facts: SpendFacts): Unavailable | null {
  return operationButtons(holdableOf(card), connection, facts)[0]?.unavailable ?? null;
}

/** How long a hold can be asked for, in minutes; the service's own default is the first (decisions "Reservations"). */
export const holdMinutes = [15, 30, 60, 120] as const;
