import { done, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import {
  findReservation,
  refuseUnknownReservation,
  reservationStateAfter,
  reservationStateNow,
  reservationView,
} from './reservation-view.ts';

/** Spec "POST /redemptions/{reservation_id}/release": again, or after the expiry, it changes nothing (gap: Reservations). */
export function release(context: ServiceContext, call: Call<unknown, { readonly reservation_id: string }>): Result {
  const { store, clock } = context;
  const reservation = findReservation(context, call);
  if (reservation === null) return refuseUnknownReservation();
  const state = reservationStateNow(reservation, clock.now());
  const next = reservationStateAfter(state, 'release');
  if (next === null || next === 'committed') {
    return refuse('VALIDATION_ERROR', 'The reservation was committed: reverse its redemption instead.', {
      status: 409,
      details: ['reservation_committed'],
    });
  }
  if (next !== reservation.state) store.reservations.setState(reservation.reservationId, next);
  const duplicate = state === 'released';
  return done(200, reservationView(reservation, { state: next, duplicate }), {
    externalRef: reservation.externalRef,
    duplicate,
  });
}
