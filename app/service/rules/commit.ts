import type { CommitRequest, ReservationState } from '../../../shared/contract/reservation.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import { answerReplay, checkIdempotencyKey, keepIdempotencyKey, naturalKeyOf } from './idempotency.ts';
import type { Deltas, Holds } from './mechanics.ts';
import { completedTransaction } from './new-transaction.ts';
import { redemptionReplay } from './redeem.ts';
import {
  findReservation,
  refuseUnknownReservation,
  reservationStateAfter,
  reservationStateNow,
} from './reservation-view.ts';
import { holdsOnRewards } from './reward-holds.ts';
import { spend } from './spend.ts';
import { checkCovered, costOnCard, spendingOfHold } from './spending.ts';
import { type Dimension, dimensions } from './templates.ts';
import { transactionView } from './transaction-view.ts';

/**
 * Spec "POST /redemptions/{reservation_id}/commit": the order is paid; a redeem transaction is made with the order's id
 * as its reference (gap: Reservations).
 */
export function commit(
  context: ServiceContext,
  call: Call<CommitRequest, { readonly reservation_id: string }>,
): Result {
  const { body, caller } = call;
  const { reservations, transactions, cards } = context.store;
  const nowMs = context.clock.now();
  const reservation = findReservation(context, call);
  if (reservation === null) return refuseUnknownReservation();
  const naturalKey = naturalKeyOf('redeem', body.external_ref);
  const request = JSON.stringify(body);
  const earlier = transactions.byNaturalKey(caller.source, naturalKey);
  const keyed = { endpoint: 'commit', naturalKey: `${reservation.reservationId}:${naturalKey}` } as const;
  if (earlier !== null && earlier.transactionId === reservation.committedTransactionId) {
    return answerReplay(context, call, keyed, redemptionReplay(earlier, request, nowMs));
  }
  const state = reservationStateNow(reservation, nowMs);
  if (state !== 'reserved') return refuseCommit(state);
  if (earlier !== null) {
    return refuse('DUPLICATE_TRANSACTION', 'This external_ref is another redemption already.', {
      details: ['external_ref_reused'],
    });
  }
  const keyRefusal = checkIdempotencyKey(context, call, keyed);
  if (keyRefusal !== null) return keyRefusal;

  const card = cards.byId(reservation.cardId);
  if (card === null) throw new Error('A reservation is on a card that does not exist');
  if (card.suspended) return refuse('CARD_NOT_ELIGIBLE', 'The card is suspended.');
  const spending = spendingOfHold(reservation);
  const cost = costOnCard(card, spending);
  if (cost.kind === 'refused') return cost;
  // No other hold can be in its way, but a reversed earn may have lowered the balance below what is held.
  const uncovered = checkCovered(card, {}, cost);
  if (uncovered !== null) return uncovered;

  const holds = holdsWithout(holdsOnRewards(context.store, card, nowMs), cost.deltas);
  const transaction = completedTransaction(
    {
      transactionId: context.makeId('txn'),
      source: caller.source,
      naturalKey,
      intent: 'redeem',
      externalRef: body.external_ref,
      customerId: reservation.customerId,
      cardId: card.cardId,
      operation: spending.operation,
      amountMinor: reservation.amountMinor,
      // A hold of points names the currency of its discount: the record has no amount, so it has none.
      currency: reservation.amountMinor === null ? null : reservation.currency,
      points: reservation.points,
      request,
      requestId: call.requestId,
    },
    { nowMs, deltas: cost.deltas, newBalances: spend(context.store, card, { deltas: cost.deltas, holds }) },
  );
  transactions.insert(transaction);
  if (reservationStateAfter(state, 'commit') !== 'committed') throw new Error(`A ${state} reservation was committed`);
  reservations.commit(reservation.reservationId, transaction.transactionId);
  keepIdempotencyKey(context, call, keyed);
  return done(200, { ...transactionView(transaction, nowMs), duplicate: false }, { externalRef: body.external_ref });
}

/** What the others hold, once this one's is spent. */
function holdsWithout(holds: Holds, spent: Deltas): Holds {
  const others: Partial<Record<Dimension, number>> = {};
  for (const dimension of dimensions) others[dimension] = (holds[dimension] ?? 0) + (spent[dimension] ?? 0);
  return others;
}

function refuseCommit(state: Exclude<ReservationState, 'reserved'>): Refusal {
  switch (state) {
    case 'committed':
      return refuse('DUPLICATE_TRANSACTION', 'The reservation was committed under another external_ref.', {
        details: ['reservation_committed'],
      });
    case 'released':
      return refuse('VALIDATION_ERROR', 'The reservation was released: reserve again.', {
        status: 409,
        details: ['reservation_released'],
      });
    case 'expired':
      return refuse('RESERVATION_EXPIRED', 'The reservation has expired: reserve again instead of retrying.');
    default:
      return assertNever(state);
  }
}
