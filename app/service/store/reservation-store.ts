import type { ReservationState } from '../../../shared/contract/reservation.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { Holds } from '../rules/mechanics.ts';
import type { ServiceDatabase } from './open.ts';
import { reservationStatements } from './statements/reservations.ts';

/** A reservation as it is kept. */
export type StoredReservation = RowOf<typeof reservationStatements.byId>;

export interface ReservationStore {
  insert(reservation: StoredReservation): void;
  byId(reservationId: string): StoredReservation | null;
  /** The reserved or committed one of a cart; a released or expired one leaves the reference free. */
  liveOf(source: string, externalRef: string): StoredReservation | null;
  /** What reservations that have not run out hold of a card, by the balance's dimension. */
  heldOn(cardId: string, nowMs: number): Holds;
  /** Reserved ones whose time is up. */
  runOut(nowMs: number, limit: number): readonly StoredReservation[];
  nextExpiryAtMs(): number | null;
  setState(reservationId: string, state: Exclude<ReservationState, 'committed'>): void;
  commit(reservationId: string, transactionId: string): void;
  /** What is held in `from` is held as many minor units of `to`; what has ended stays as it was told. */
  changeCurrency(from: string, to: string): void;
}

export function createReservationStore(database: ServiceDatabase): ReservationStore {
  const { insert, setState, commit, changeCurrency, ...reads } = prepareAll(database, reservationStatements);
  return {
    insert: (reservation) => void insert.run(reservation),
    byId: (reservationId) => reads.byId.get({ reservationId }),
    liveOf: (source, externalRef) => reads.liveOf.get({ source, externalRef }),
    heldOn: (cardId, nowMs) => reads.heldOn.get({ cardId, nowMs }) ?? {},
    runOut: (nowMs, limit) => reads.runOut.all({ nowMs, limit }),
    nextExpiryAtMs: () => reads.nextExpiry.get()?.atMs ?? null,
    setState: (reservationId, state) => void setState.run({ reservationId, state }),
    commit: (reservationId, committedTransactionId) => void commit.run({ reservationId, committedTransactionId }),
    changeCurrency: (from, to) => void changeCurrency.run({ from, to }),
  };
}
