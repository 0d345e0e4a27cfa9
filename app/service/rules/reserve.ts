import { maxTtlMinutes, type ReserveRequest } from '../../../shared/contract/reservation.ts';
import { minuteMs } from '../../../shared/lib/durations.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import type { StoredReservation } from '../store/reservation-store.ts';
import { currencyOf } from './choose-card.ts';
import { cover } from './cover.ts';
import { answerReplay, checkIdempotencyKey, keepIdempotencyKey } from './idempotency.ts';
import { pointsToStored } from './mechanics.ts';
import { pointsInMinor } from './points-in-money.ts';
import { reservationStateNow, reservationView } from './reservation-view.ts';
import { type HeldValue, spendingOfHold } from './spending.ts';

/**
 * Spec "POST /redemptions/reserve": holds value for a cart; no balance moves. The same cart again gets the same
 * reservation while it is reserved or committed, and a new one after (gap: Reservations).
 */
export function reserve(context: ServiceContext, call: Call<ReserveRequest>): Result {
  const { body, caller } = call;
  const { store, settings } = context;
  const nowMs = context.clock.now();
  const request = JSON.stringify(body);
  const keyed = { endpoint: 'reserve', naturalKey: `reserve:${body.external_ref}` } as const;
  const earlier = store.reservations.liveOf(caller.source, body.external_ref);
  if (earlier !== null) {
    if (reservationStateNow(earlier, nowMs) !== 'expired') {
      return answerReplay(context, call, keyed, replay(earlier, request));
    }
    store.reservations.setState(earlier.reservationId, 'expired');
  }
  const keyRefusal = checkIdempotencyKey(context, call, keyed);
  if (keyRefusal !== null) return keyRefusal;

  const value = heldValue(body);
  const covered = cover(context, { source: caller.source, spending: spendingOfHold(value), body });
  if (covered.kind === 'refused') return covered;
  const { card } = covered;
  const money = moneyOf(context, body, card);
  if (money.kind === 'refused') return money;

  const ttlMinutes = Math.min(body.ttl_minutes ?? settings.current.reservation_ttl_minutes, maxTtlMinutes);
  const reservation: StoredReservation = {
    reservationId: context.makeId('res'),
    source: caller.source,
    externalRef: body.external_ref,
    state: 'reserved',
    customerId: card.customerId,
    cardId: card.cardId,
    ...value,
    discountValueMinor: money.discountValueMinor,
    currency: money.currency,
    request,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + ttlMinutes * minuteMs,
    committedTransactionId: null,
  };
  store.reservations.insert(reservation);
  keepIdempotencyKey(context, call, keyed);
  context.agenda.expect(reservation.expiresAtMs);
  const view = reservationView(reservation, { state: reservation.state, duplicate: false });
  return done(201, view, { externalRef: body.external_ref });
}

/** The contract has made sure that exactly one is there. */
function heldValue(body: ReserveRequest): HeldValue {
  if (body.points !== undefined) return { points: pointsToStored(body.points), amountMinor: null };
  if (body.amount_minor !== undefined) return { points: null, amountMinor: body.amount_minor };
  throw new Error('A reservation without a value passed validation');
}

/** A discount is money, so its currency stands beside it: the request's, else the card's, else the tenant's. */
interface HeldMoney {
  readonly kind: 'money';
  readonly discountValueMinor: number | null;
  readonly currency: string | null;
}

/** What the cart is worth off: null only when the tenant has no rate, never defaulted (spec "Other shapes"). */
function moneyOf({ settings }: ServiceContext, body: ReserveRequest, card: Card): HeldMoney | Refusal {
  const { conversion, currency: tenantCurrency } = settings.current;
  const currency = currencyOf(body);
  if (conversion === null) return { kind: 'money', discountValueMinor: null, currency };
  const discount = body.amount_minor ?? pointsInMinor(pointsToStored(body.points ?? 0), conversion.minor_per_point);
  // gap: Money, time, ids
  if (discount > Number.MAX_SAFE_INTEGER) {
    return refuse('VALIDATION_ERROR', 'points: are worth more than can be counted in minor units', {
      status: 422,
      details: ['discount_value_too_large'],
    });
  }
  return {
    kind: 'money',
    discountValueMinor: Number(discount),
    currency: currency ?? card.currency ?? tenantCurrency,
  };
}

function replay(earlier: StoredReservation, request: string): Result {
  const note = { externalRef: earlier.externalRef, duplicate: true, payloadDiffers: earlier.request !== request };
  return done(200, reservationView(earlier, { state: earlier.state, duplicate: true }), note);
}
