import type { Reservation, ReservationState } from '../../../shared/contract/reservation.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { advance } from '../../../shared/machines/machine.ts';
import { type ReservationEvent, reservationMachine } from '../../../shared/machines/reservation.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { StoredReservation } from '../store/reservation-store.ts';
import { pointScale } from './templates.ts';

/** A reservation as the interface shows it (spec "Other shapes"). */
export function reservationView(
  reservation: StoredReservation,
  { state, duplicate }: { readonly state: ReservationState; readonly duplicate: boolean },
): Reservation {
  const { points } = reservation;
  return {
    reservation_id: reservation.reservationId,
    state,
    card_id: reservation.cardId,
    points: points === null ? null : points / pointScale,
    amount_minor: reservation.amountMinor,
    discount_value_minor: reservation.discountValueMinor,
    currency: reservation.currency,
    expires_at: toInstant(reservation.expiresAtMs),
    duplicate,
  };
}

/** The state now: one whose time is up has expired, whether or not that was written down yet. */
export function reservationStateNow({ state, expiresAtMs }: StoredReservation, nowMs: number): ReservationState {
  return state === 'reserved' && expiresAtMs <= nowMs ? 'expired' : state;
}

/** The state after an event, or null when the machine does not allow it (spec "Reservation state"). */
export function reservationStateAfter(state: ReservationState, event: ReservationEvent): ReservationState | null {
  return advance(reservationMachine, state, event);
}

/** A reservation of the calling partner; null for another partner's, as for one that does not exist (decision 0009). */
export function findReservation(
  { store }: ServiceContext,
  { caller, params }: Call<unknown, { readonly reservation_id: string }>,
): StoredReservation | null {
  const reservation = store.reservations.byId(params.reservation_id);
  return reservation?.source === caller.source ? reservation : null;
}

/** gap: Transactions. */
export function refuseUnknownReservation(): Refusal {
  return refuse('VALIDATION_ERROR', 'There is no such reservation.', {
    status: 404,
    details: ['reservation_not_found'],
  });
}
