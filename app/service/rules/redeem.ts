import type { RedeemRequest } from '../../../shared/contract/transaction.ts';
import { done, type Result } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { StoredTransaction } from '../store/transaction-store.ts';
import { currencyOf } from './choose-card.ts';
import { cover } from './cover.ts';
import { answerReplay, checkIdempotencyKey, keepIdempotencyKey, naturalKeyOf } from './idempotency.ts';
import { pointsToStored } from './mechanics.ts';
import { completedTransaction } from './new-transaction.ts';
import { spend } from './spend.ts';
import type { Spending } from './spending.ts';
import { transactionView } from './transaction-view.ts';

/**
 * Spec "POST /transactions/redeem": done at once, answered with the new balances. Runs inside one transaction of the
 * store; a refusal records nothing and leaves the reference free (gap: Transactions).
 */
export function redeem(context: ServiceContext, call: Call<RedeemRequest>): Result {
  const { body, caller } = call;
  const { store } = context;
  const nowMs = context.clock.now();
  const naturalKey = naturalKeyOf('redeem', body.external_ref);
  const request = JSON.stringify(body);
  const earlier = store.transactions.byNaturalKey(caller.source, naturalKey);
  const keyed = { endpoint: 'redeem', naturalKey } as const;
  if (earlier !== null) return answerReplay(context, call, keyed, redemptionReplay(earlier, request, nowMs));
  const keyRefusal = checkIdempotencyKey(context, call, keyed);
  if (keyRefusal !== null) return keyRefusal;

  const spending = spendingOf(body);
  const covered = cover(context, { source: caller.source, spending, body });
  if (covered.kind === 'refused') return covered;
  const { card, cost, holds } = covered;

  const newBalances = spend(store, card, { deltas: cost.deltas, holds });
  const transaction = completedTransaction(
    {
      transactionId: context.makeId('txn'),
      source: caller.source,
      naturalKey,
      intent: 'redeem',
      externalRef: body.external_ref,
      customerId: card.customerId,
      cardId: card.cardId,
      operation: spending.operation,
      amountMinor: body.amount_minor ?? null,
      currency: currencyOf(body),
      points: body.points === undefined ? null : pointsToStored(body.points),
      stamps: body.stamps ?? null,
      visits: body.visits ?? null,
      rewardId: cost.rewardId,
      request,
      requestId: call.requestId,
    },
    { nowMs, deltas: cost.deltas, newBalances },
  );
  store.transactions.insert(transaction);
  keepIdempotencyKey(context, call, keyed);
  return done(200, { ...transactionView(transaction, nowMs), duplicate: false }, { externalRef: body.external_ref });
}

/** The first redemption under this reference, whatever this request's body says (gap: Transactions). */
export function redemptionReplay(earlier: StoredTransaction, request: string, nowMs: number): Result {
  const note = { externalRef: earlier.externalRef, duplicate: true, payloadDiffers: earlier.request !== request };
  return done(200, { ...transactionView(earlier, nowMs), duplicate: true }, note);
}

function spendingOf(body: RedeemRequest): Spending {
  if (body.points !== undefined) return { operation: 'redeem_points', value: pointsToStored(body.points) };
  if (body.amount_minor !== undefined) return { operation: 'redeem_amount', value: body.amount_minor };
  if (body.stamps !== undefined) return { operation: 'redeem_stamp', value: body.stamps };
  if (body.visits !== undefined) return { operation: 'redeem_visit', value: body.visits };
  if (body.coupon_code !== undefined) return { operation: 'redeem_coupon' };
  if (body.reward !== undefined) return { operation: 'redeem_reward', rewardId: body.reward_id };
  throw new Error('A redemption without a value passed validation');
}
