import { type Reservation, reservationSchema } from '../../../shared/contract/reservation.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { hourMs } from '../../../shared/lib/durations.ts';
import type { HoldState } from '../../../shared/till/hold-views.ts';
import type { Line } from '../../line/line.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { HoldRow, HoldStore } from '../../store/tables/hold-store.ts';
import { askedReference } from '../requests/asked-reference.ts';

/** Points or cashback that are held on a customer's card until an order is paid (spec "Reservation state"). */
export interface Hold {
  /** The reserve that it began with. */
  readonly reserve: Operation;
  /** The cart's reference, as the service knows it. */
  readonly cartRef: string;
  readonly state: HoldState;
  /** What the service holds; null while that is being found out. */
  readonly reservation: Reservation | null;
  /** What is under way to end it. */
  readonly closing: Operation | null;
}

/** A hold that has run out is offered again for so long; it holds nothing any more. */
const expiredShownMs = 2 * hourMs;
/** No row older than this has to do with a hold that is still shown: 3 h to be found out, 2 h to live, 2 h shown. */
export const holdRowsMs = 8 * hourMs;

/**
 * The holds that somebody still has to do with, newest first: one for each cart, its newest.
 *
 * @param rows of this till, of the last `holdRowsMs`
 * @param serviceNowMs the service's time, by which a hold runs out
 */
export function openHolds(rows: readonly HoldRow[], serviceNowMs: number): readonly Hold[] {
  const newestFirst = [...rows].sort((left, right) => right.operation.rowId - left.operation.rowId);
  const carts = new Set<string>();
  return newestFirst.flatMap(({ operation: reserve }) => {
    if (reserve.intent !== 'reserve' || stateOfReserve(reserve) === 'nothing') return [];
    const cartRef = askedReference(reserve);
    if (carts.has(cartRef)) return [];
    carts.add(cartRef);
    const hold = holdOf(reserve, cartRef, newestFirst, serviceNowMs);
    return hold === null ? [] : [hold];
  });
}

interface HoldsNow {
  readonly store: Pick<HoldStore, 'since'>;
  readonly line: Pick<Line, 'skew' | 'earliestNowMs' | 'serviceNowMs'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The holds that somebody still has to do with now, read from the disk. */
export function openHoldsNow({ store, line, clock }: HoldsNow): readonly Hold[] {
  const { skewMs, setByMs } = line.skew;
  // As if nobody had set the clock ahead, so that holds that were saved before that are found, too.
  const unsetMs = clock.now() - Math.max(0, setByMs);
  const sinceMs = Math.min(unsetMs, line.earliestNowMs()) - holdRowsMs;
  return openHolds(store.since(sinceMs), skewMs === null ? unsetMs : line.serviceNowMs());
}

function holdOf(reserve: Operation, cartRef: string, rows: readonly HoldRow[], serviceNowMs: number): Hold | null {
  const answer = reservationSchema.safeParse(reserve.answer);
  if (stateOfReserve(reserve) === 'asking' || !answer.success) {
    // The cashier has taken full payment instead: the hold is not shown, and runs out by itself.
    if (reserve.decision === 'take_full_payment') return null;
    return { reserve, cartRef, state: 'asking', reservation: null, closing: null };
  }
  const reservation = answer.data;
  // The cart had a hold before, which is over.
  if (reservation.state !== 'reserved') return null;
  const expiresAtMs = Date.parse(reservation.expires_at);
  const closing = closingOf(reservation.reservation_id, rows);
  const open = { reserve, cartRef, reservation };
  switch (closing?.end ?? 'none') {
    case 'over':
      return null;
    case 'under_way':
      return { ...open, state: 'closing', closing: closing?.operation ?? null };
    case 'ran_out':
    case 'none': {
      const hasRunOut = closing !== null || serviceNowMs >= expiresAtMs;
      if (hasRunOut && serviceNowMs >= expiresAtMs + expiredShownMs) return null;
      return { ...open, state: hasRunOut ? 'expired' : 'reserved', closing: null };
    }
  }
}

/** What a reserve has come to. */
function stateOfReserve(reserve: Operation): 'asking' | 'held' | 'nothing' {
  switch (reserve.state) {
    case 'queued':
    case 'sending':
    case 'unknown':
      return 'asking';
    case 'accepted':
    case 'applied':
      return 'held';
    case 'refused':
    case 'failed':
    case 'cancelled':
    case 'reversed':
    case 'written_off':
      return 'nothing';
    default:
      return assertNever(reserve.state);
  }
}

interface Closing {
  readonly end: 'over' | 'under_way' | 'ran_out';
  readonly operation: Operation;
}

/** What the commits and releases of a reservation have come to; null when there is none that counts. */
function closingOf(reservationId: string, rows: readonly HoldRow[]): Closing | null {
  const paths = [`/redemptions/${reservationId}/commit`, `/redemptions/${reservationId}/release`];
  const closings = rows.flatMap((row): Closing[] => {
    const { operation, path } = row;
    if (!paths.includes(path)) return [];
    const end = endOf(row);
    return end === null ? [] : [{ end, operation }];
  });
  return (
    closings.find(({ end }) => end === 'over') ?? closings.find(({ end }) => end === 'under_way') ?? closings[0] ?? null
  );
}

function endOf(row: HoldRow): Closing['end'] | null {
  const { state, error } = row.operation;
  switch (state) {
    case 'queued':
    case 'sending':
    case 'unknown':
      return 'under_way';
    case 'accepted':
    case 'applied':
    // A commit that was taken back: the hold itself had ended with it.
    case 'reversed':
      return 'over';
    // A commit or release that the service has refused ends as cancelled: no person has to decide about it.
    case 'refused':
    case 'cancelled':
    case 'failed':
    case 'written_off':
      if (error?.code === 'RESERVATION_EXPIRED') return 'ran_out';
      return hasEndedElsewhere(row) ? 'over' : null;
    default:
      return assertNever(state);
  }
}

/**
 * Whether a refusal says that the hold had ended by another door; one of an earlier request, after which another was not
 * sent, has left no error and says nothing. The status tells (spec "Reservation state"), but for a
 * conflict of a commit: that is of its order's number, or of a hold that was committed under another one, which only
 * the details can tell.
 */
function hasEndedElsewhere({ operation: { intent, error }, refusedStatus }: HoldRow): boolean {
  if (error === null) return false;
  if (refusedStatus !== 409) return refusedStatus === 404;
  if (intent === 'release' || error.code !== 'DUPLICATE_TRANSACTION') return true;
  return error.details?.includes('reservation_committed') === true;
}
