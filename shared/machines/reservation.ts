import type { ReservationState } from '../contract/reservation.ts';
import type { Machine } from './machine.ts';

export type ReservationEvent = 'commit' | 'release' | 'expire';

/** Spec "Reservation state". The release of an expired one changes nothing (decisions "Reservations"). */
export const reservationMachine: Machine<ReservationState, ReservationEvent> = {
  reserved: { commit: 'committed', release: 'released', expire: 'expired' },
  committed: { commit: 'committed' },
  released: { release: 'released' },
  expired: { release: 'expired' },
};
