import { cardOperationsBy } from '../../../shared/contract/card-names.ts';
import type { EndpointName } from '../../../shared/contract/endpoints.ts';
import type { ReverseByIdRequest, ReverseRequest } from '../../../shared/contract/transaction.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { StoredTransaction } from '../store/transaction-store.ts';
import {
  answerReplay,
  checkIdempotencyKey,
  keepIdempotencyKey,
  naturalKeyOf,
  naturalKeyOfReversal,
} from './idempotency.ts';
import { pointsToStored } from './mechanics.ts';
import { pendingTransaction } from './new-transaction.ts';
import { refuseUnknownTransaction } from './transaction-reads.ts';

/** Spec "POST /transactions/reverse": the original is the caller's own, by its reference and its side of the receipt. */
export function reverse(context: ServiceContext, call: Call<ReverseRequest>): Result {
  const { external_ref: externalRef, intent } = call.body;
  const naturalKey = naturalKeyOf(intent, externalRef);
  const original = context.store.transactions.byNaturalKey(call.caller.source, naturalKey);
  return reverseOriginal(context, { call, endpoint: 'reverse', original });
}

/** Spec "POST /transactions/{transaction_id}/reverse". */
export function reverseById(
  context: ServiceContext,
  call: Call<ReverseByIdRequest, { readonly transaction_id: string }>,
): Result {
  const original = context.store.transactions.byId(call.params.transaction_id);
  return reverseOriginal(context, { call, endpoint: 'reverseById', original });
}

interface Reversal {
  readonly call: Call<ReverseByIdRequest>;
  readonly endpoint: Extract<EndpointName, 'reverse' | 'reverseById'>;
  readonly original: StoredTransaction | null;
}

/** Accepted at once, applied after the delay; then the original becomes reversed (gap: Transactions). */
function reverseOriginal(context: ServiceContext, { call, endpoint, original }: Reversal): Result {
  if (original === null) return refuseUnknownTransaction();
  const { body, caller } = call;
  const { transactions } = context.store;
  const naturalKey = naturalKeyOfReversal(original, {
    source: caller.source,
    reversalRef: body.reversal_ref,
  });
  const request = JSON.stringify(body);
  const earlier = transactions.byNaturalKey(caller.source, naturalKey);
  const keyed = { endpoint, naturalKey } as const;
  if (earlier !== null) return answerReplay(context, call, keyed, replay(earlier, original, request));
  const refusal = checkIdempotencyKey(context, call, keyed) ?? checkWhole(body, original);
  if (refusal !== null) return refusal;
  const irreversible = checkReversible(original);
  if (irreversible !== null) return irreversible;
  if (transactions.liveReversalOf(original.transactionId) !== null) return refuseReversed();

  const nowMs = context.clock.now();
  const delayMs = context.settings.current.apply_delay_ms;
  const reversal = pendingTransaction(
    {
      transactionId: context.makeId('txn'),
      source: caller.source,
      naturalKey,
      intent: 'reverse',
      externalRef: body.reversal_ref ?? original.externalRef,
      customerId: original.customerId,
      cardId: original.cardId,
      amountMinor: body.amount_minor ?? null,
      currency: body.amount_minor === undefined ? null : original.currency,
      points: body.points === undefined ? null : pointsToStored(body.points),
      reversesTransactionId: original.transactionId,
      request,
      requestId: call.requestId,
    },
    { nowMs, delayMs },
  );
  transactions.insert(reversal);
  keepIdempotencyKey(context, call, keyed);
  context.agenda.expect(nowMs + delayMs);
  return done(202, accepted(reversal, original, { duplicate: false }), { externalRef: reversal.externalRef });
}

/** Status pending, as ReversalAccepted always has it (gap: Transactions). */
function accepted(reversal: StoredTransaction, original: StoredTransaction, { duplicate }: { duplicate: boolean }) {
  return {
    transaction_id: reversal.transactionId,
    status: 'pending',
    duplicate,
    reverses_transaction_id: original.transactionId,
  };
}

function replay(earlier: StoredTransaction, original: StoredTransaction, request: string): Result {
  if (earlier.reversesTransactionId !== original.transactionId) {
    return refuse('DUPLICATE_TRANSACTION', 'This reversal_ref was used for another transaction.', {
      details: ['reversal_ref_reused'],
    });
  }
  const note = { externalRef: earlier.externalRef, duplicate: true, payloadDiffers: earlier.request !== request };
  return done(200, accepted(earlier, original, { duplicate: true }), note);
}

/** The full value may be named; anything else would be partial (spec "POST /transactions/reverse"; gap: Transactions). */
function checkWhole(body: ReverseByIdRequest, original: StoredTransaction): Refusal | null {
  const { amount_minor: amountMinor, points } = body;
  const isWhole =
    (amountMinor === undefined || amountMinor === original.amountMinor) &&
    (points === undefined || pointsToStored(points) === original.points);
  if (isWhole) return null;
  return refuse('VALIDATION_ERROR', 'A transaction is reversed as a whole: leave amount_minor and points out.', {
    details: ['partial_reversal_unsupported'],
  });
}

/** What is used up at once, and never given back. */
const oneShot: ReadonlySet<string | null> = new Set(cardOperationsBy('spend', ['reward', 'coupon']));

function checkReversible(original: StoredTransaction): Refusal | null {
  const { intent, operation, status } = original;
  if ((intent !== 'earn' && intent !== 'redeem') || oneShot.has(operation)) {
    return refuse('VALIDATION_ERROR', 'This transaction has no reversal.', {
      status: 422,
      details: ['transaction_not_reversible'],
    });
  }
  if (status === 'reversed') return refuseReversed();
  if (status === 'success') return null;
  return refuse('VALIDATION_ERROR', `The transaction has not succeeded: it is ${status}.`, {
    details: ['transaction_not_succeeded'],
  });
}

function refuseReversed(): Refusal {
  return refuse('ALREADY_REVERSED', 'This transaction was reversed already.');
}
