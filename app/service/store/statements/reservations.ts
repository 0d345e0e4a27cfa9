import { and, asc, eq, getTableColumns, gt, inArray, lte, min, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../../sql/compile.ts';
import { reservations } from '../schema.ts';

type ReservationRow = typeof reservations.$inferSelect;

const { position: _, ...stored } = getTableColumns(reservations);
const reservation = () => select(stored).from(reservations);
const isReserved = eq(reservations.state, 'reserved');

export const reservationStatements = {
  insert: write(($: Placeholders<Omit<ReservationRow, 'position'>>) =>
    query.insert(reservations).values(given(stored, $)),
  ),
  byId: read(($: Placeholders<{ reservationId: string }>) =>
    reservation().where(eq(reservations.reservationId, $.reservationId)),
  ),
  liveOf: read(($: Placeholders<{ source: string; externalRef: string }>) =>
    reservation().where(
      and(
        eq(reservations.source, $.source),
        eq(reservations.externalRef, $.externalRef),
        inArray(reservations.state, ['reserved', 'committed']),
      ),
    ),
  ),
  heldOn: read(($: Placeholders<{ cardId: string; nowMs: number }>) =>
    select({
      // drizzle's own sum() gives text.
      points: sql<number>`coalesce(sum(${reservations.points}), 0)`,
      cashback_minor: sql<number>`coalesce(sum(${reservations.amountMinor}), 0)`,
    })
      .from(reservations)
      .where(and(eq(reservations.cardId, $.cardId), isReserved, gt(reservations.expiresAtMs, $.nowMs))),
  ),
  runOut: read(($: Placeholders<{ nowMs: number; limit: number }>) =>
    reservation()
      .where(and(isReserved, lte(reservations.expiresAtMs, $.nowMs)))
      .orderBy(asc(reservations.expiresAtMs), asc(reservations.position))
      .limit($.limit),
  ),
  nextExpiry: read(() =>
    select({ atMs: min(reservations.expiresAtMs) })
      .from(reservations)
      .where(isReserved),
  ),
  setState: write(($: Placeholders<Pick<ReservationRow, 'reservationId' | 'state'>>) =>
    query
      .update(reservations)
      .set(given(pick(reservations, 'state'), $))
      .where(eq(reservations.reservationId, $.reservationId)),
  ),
  commit: write(($: Placeholders<{ reservationId: string; committedTransactionId: string }>) =>
    query
      .update(reservations)
      .set({ state: 'committed', ...given(pick(reservations, 'committedTransactionId'), $) })
      .where(eq(reservations.reservationId, $.reservationId)),
  ),
  changeCurrency: write(($: Placeholders<{ from: string; to: string }>) =>
    query
      .update(reservations)
      .set({ currency: sql`${$.to}` })
      .where(and(eq(reservations.currency, $.from), isReserved)),
  ),
};
