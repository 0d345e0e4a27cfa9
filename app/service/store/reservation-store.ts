import type { ReservationState } from '../../../shared/contract/reservation.ts';
import type { Holds } from '../rules/mechanics.ts';
import type { ServiceDatabase } from './open.ts';

/** A reservation as it is kept. Points are in thousandths; exactly one of points and amount is there. */
export interface StoredReservation {
  readonly reservationId: string;
  readonly source: string;
  readonly externalRef: string;
  readonly state: ReservationState;
  readonly customerId: string;
  readonly cardId: string;
  readonly points: number | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly discountValueMinor: number | null;
  /** The request's known fields as JSON, in the contract's order: equal texts are equal requests. */
  readonly request: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The redeem transaction that a commit made. */
  readonly committedTransactionId: string | null;
}

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

const columns = `reservation_id AS reservationId, source, external_ref AS externalRef, state, customer_id AS customerId,
  card_id AS cardId, points, amount_minor AS amountMinor, currency, discount_value_minor AS discountValueMinor, request,
  created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs, committed_transaction_id AS committedTransactionId`;

// A `+` before a parameter keeps SQLite from planning the statement anew for every value that it is given.
export function createReservationStore(database: ServiceDatabase): ReservationStore {
  const insert = database.prepare<[StoredReservation]>(
    `INSERT INTO reservations (reservation_id, source, external_ref, state, customer_id, card_id, points, amount_minor,
       currency, discount_value_minor, request, created_at_ms, expires_at_ms, committed_transaction_id)
     VALUES (:reservationId, :source, :externalRef, :state, :customerId, :cardId, :points, :amountMinor, :currency,
       :discountValueMinor, :request, :createdAtMs, :expiresAtMs, :committedTransactionId)`,
  );
  const byId = database.prepare<[string], StoredReservation>(
    `SELECT ${columns} FROM reservations WHERE reservation_id = ?`,
  );
  const liveOf = database.prepare<[string, string], StoredReservation>(
    `SELECT ${columns} FROM reservations
     WHERE source = ? AND external_ref = ? AND state IN ('reserved', 'committed')`,
  );
  const heldOn = database.prepare<[string, number], { points: number; cashback_minor: number }>(
    `SELECT coalesce(sum(points), 0) AS points, coalesce(sum(amount_minor), 0) AS cashback_minor FROM reservations
     WHERE card_id = +? AND state = 'reserved' AND expires_at_ms > +?`,
  );
  const runOut = database.prepare<[number, number], StoredReservation>(
    `SELECT ${columns} FROM reservations WHERE state = 'reserved' AND expires_at_ms <= +?
     ORDER BY expires_at_ms, position LIMIT +?`,
  );
  const nextExpiry = database.prepare<[], { at: number | null }>(
    `SELECT min(expires_at_ms) AS at FROM reservations WHERE state = 'reserved'`,
  );
  const setState = database.prepare<[string, string]>('UPDATE reservations SET state = ? WHERE reservation_id = ?');
  const commit = database.prepare<[string, string]>(
    `UPDATE reservations SET state = 'committed', committed_transaction_id = ? WHERE reservation_id = ?`,
  );
  const changeCurrency = database.prepare<[string, string]>(
    `UPDATE reservations SET currency = ? WHERE currency = ? AND state = 'reserved'`,
  );
  return {
    insert: (reservation) => void insert.run(reservation),
    byId: (reservationId) => byId.get(reservationId) ?? null,
    liveOf: (source, externalRef) => liveOf.get(source, externalRef) ?? null,
    heldOn: (cardId, nowMs) => heldOn.get(cardId, nowMs) ?? {},
    runOut: (nowMs, limit) => runOut.all(nowMs, limit),
    nextExpiryAtMs: () => nextExpiry.get()?.at ?? null,
    setState: (reservationId, state) => void setState.run(state, reservationId),
    changeCurrency: (from, to) => void changeCurrency.run(to, from),
    commit: (reservationId, transactionId) => void commit.run(transactionId, reservationId),
  };
}
