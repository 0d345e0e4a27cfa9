import { type EarnRequest, isOnItsWay } from '../../../shared/contract/transaction.ts';
import { hourMs } from '../../../shared/lib/durations.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { PositionedTransaction } from '../store/transaction-store.ts';
import { checkCurrency, chooseCard, currencyOf } from './choose-card.ts';
import { findCustomer } from './find-customer.ts';
import { answerReplay, checkIdempotencyKey, keepIdempotencyKey, naturalKeyOf } from './idempotency.ts';
import { type EarnValue, pointsToStored } from './mechanics.ts';
import { pendingTransaction } from './new-transaction.ts';
import { transactionView } from './transaction-view.ts';

/**
 * Spec "POST /transactions/earn": accepted at once, applied shortly after. Runs inside one transaction of the store;
 * a refusal records nothing and leaves the reference free (gap: Transactions).
 */
export function earn(context: ServiceContext, call: Call<EarnRequest>): Result {
  const { body, caller } = call;
  const naturalKey = naturalKeyOf('earn', body.external_ref);
  const nowMs = context.clock.now();
  const request = JSON.stringify(body);
  // gap: Transactions (a replay is always the first outcome, however late)
  const earlier = context.store.transactions.byNaturalKey(caller.source, naturalKey);
  const keyed = { endpoint: 'earn', naturalKey } as const;
  if (earlier !== null) return answerReplay(context, call, keyed, replay(earlier, request, nowMs));
  const keyRefusal = checkIdempotencyKey(context, call, keyed);
  if (keyRefusal !== null) return keyRefusal;

  const found = findCustomer(context, { identifier: body.identifier, source: caller.source, where: 'identifier' });
  if (found.kind === 'refused') return found;
  const occurredAtMs = body.occurred_at === undefined ? nowMs : Date.parse(body.occurred_at);
  const outside = checkWindow(context, occurredAtMs, nowMs);
  if (outside !== null) return outside;

  const record = {
    amountMinor: body.amount_minor ?? null,
    points: body.points === undefined ? null : pointsToStored(body.points),
    stamps: body.stamps ?? null,
    visits: body.visits ?? null,
  };
  const { operation } = earnValueOf(record);
  const { customerId, scannedCard } = found;
  const cards = () => context.store.cards.ofCustomer(customerId);
  const chosen = chooseCard({ cards, operation, cardId: body.card_id, scannedCard });
  if (chosen.kind === 'refused') return chosen;
  const currency = currencyOf(body);
  const mismatch = checkCurrency(chosen.card, currency, context.settings.current.currency);
  if (mismatch !== null) return mismatch;

  const delayMs = context.settings.current.apply_delay_ms;
  const transaction = pendingTransaction(
    {
      transactionId: context.makeId('txn'),
      source: caller.source,
      naturalKey,
      intent: 'earn',
      externalRef: body.external_ref,
      customerId,
      cardId: chosen.card.cardId,
      operation,
      ...record,
      currency,
      request,
      requestId: call.requestId,
      occurredAtMs,
    },
    { nowMs, delayMs },
  );
  context.store.transactions.insert(transaction);
  keepIdempotencyKey(context, call, keyed);
  context.agenda.expect(nowMs + delayMs);
  return done(
    202,
    { transaction_id: transaction.transactionId, status: 'pending', duplicate: false },
    { externalRef: body.external_ref },
  );
}

/** What an earn asks for: its unit field when there is one, else the amount (gap: Which card). */
export function earnValueOf(record: {
  readonly amountMinor: number | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
}): EarnValue {
  const { amountMinor, points, stamps, visits } = record;
  if (points !== null) return { operation: 'earn_points', value: points };
  if (stamps !== null) return { operation: 'earn_stamp', value: stamps };
  if (visits !== null) return { operation: 'earn_visit', value: visits };
  if (amountMinor !== null) return { operation: 'earn_amount', value: amountMinor };
  throw new Error('An earn without a value passed validation');
}

/** gap: Offline earn window. */
function checkWindow({ settings }: ServiceContext, occurredAtMs: number, nowMs: number): Refusal | null {
  const { offline_window_hours, future_tolerance_seconds } = settings.current;
  const details = ['occurred_at_outside_window'];
  if (occurredAtMs < nowMs - offline_window_hours * hourMs) {
    const message = `occurred_at: is more than ${offline_window_hours} hours ago`;
    return refuse('VALIDATION_ERROR', message, { status: 422, details });
  }
  if (occurredAtMs > nowMs + future_tolerance_seconds * 1000) {
    const message = `occurred_at: is more than ${future_tolerance_seconds} seconds ahead of the service's clock`;
    return refuse('VALIDATION_ERROR', message, { status: 422, details });
  }
  return null;
}

/** The first request's outcome, whatever this one's body says (gap: Transactions). */
function replay(earlier: PositionedTransaction, request: string, nowMs: number): Result {
  const note = { externalRef: earlier.externalRef, duplicate: true, payloadDiffers: earlier.request !== request };
  if (isOnItsWay(earlier.status)) {
    return done(202, { transaction_id: earlier.transactionId, status: 'pending', duplicate: true }, note);
  }
  return done(200, { ...transactionView(earlier, nowMs), duplicate: true }, note);
}
