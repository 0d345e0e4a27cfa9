import type { RedeemRequest } from '../../../shared/contract/transaction.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import type { StoredTransaction } from '../store/transaction-store.ts';
import { type ChosenCard, checkCurrency, chooseCard, recordedCurrency } from './choose-card.ts';
import { type FoundCustomer, findCustomer } from './find-customer.ts';
import { checkIdempotencyKey, keepIdempotencyKey, naturalKeyOf } from './idempotency.ts';
import { pointsToStored } from './mechanics.ts';
import { completedTransaction } from './new-transaction.ts';
import { spend } from './spend.ts';
import { checkCovered, costOf, type Spending } from './spending.ts';
import { findTemplate } from './templates.ts';
import { transactionView } from './transaction-view.ts';

/**
 * Spec "POST /transactions/redeem": done at once, answered with the new balances. Runs inside one transaction of the
 * store; a refusal records nothing and leaves the reference free (gap: Transactions).
 */
export function redeem(context: ServiceContext, call: Call<RedeemRequest>): Result {
  const { body, caller } = call;
  const { store, settings } = context;
  const nowMs = context.clock.now();
  const naturalKey = naturalKeyOf('redeem', body.external_ref);
  const request = JSON.stringify(body);
  const earlier = store.transactions.byNaturalKey(caller.source, naturalKey);
  if (earlier !== null) return redemptionReplay(earlier, request, nowMs);
  const keyed = { endpoint: 'redeem', naturalKey } as const;
  const keyRefusal = checkIdempotencyKey(context, call, keyed);
  if (keyRefusal !== null) return keyRefusal;

  const found = findCustomer(context, { identifier: body.identifier, source: caller.source, where: 'identifier' });
  if (found.kind === 'refused') return found;
  const spending = spendingOf(body);
  const chosen = cardFor(context, { found, spending, body });
  if (chosen.kind === 'refused') return chosen;
  const { card } = chosen;
  const mismatch = checkCurrency(card, body.currency, settings.current.currency);
  if (mismatch !== null) return mismatch;
  const mechanics = findTemplate(card.templateId)?.mechanics;
  if (mechanics == null) throw new Error('A card of unknown mechanics was chosen');
  const cost = costOf(mechanics, spending);
  if (cost.kind === 'refused') return cost;
  const uncovered = checkCovered(card.balances, store.reservations.heldOn(card.cardId, nowMs), cost.deltas);
  if (uncovered !== null) return uncovered;

  const newBalances = spend(store, card, cost.deltas);
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
      currency: recordedCurrency(body, card, settings.current.currency),
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

interface Request {
  readonly found: FoundCustomer;
  readonly spending: Spending;
  readonly body: RedeemRequest;
}

/** A coupon's code is its card_id (spec "POST /transactions/redeem"); it names the card as card_id does. */
function cardFor({ store }: ServiceContext, { found, spending, body }: Request): ChosenCard {
  const { coupon_code: couponCode, card_id: cardId } = body;
  if (couponCode !== undefined && cardId !== undefined && cardId !== couponCode) {
    return refuse('CARD_NOT_ELIGIBLE', 'coupon_code and card_id name different cards.');
  }
  const cards = store.cards.ofCustomer(found.customerId);
  const used = checkUsedCoupon(cards.find((card) => card.cardId === couponCode));
  if (used !== null) return used;
  return chooseCard({
    cards: () => cards,
    operation: spending.operation,
    cardId: couponCode ?? cardId,
    scannedCard: found.scannedCard,
  });
}

/** Told before eligibility (gap: Which card). */
function checkUsedCoupon(card: Card | undefined): Refusal | null {
  if (card === undefined || card.balances.rewards_available !== 0) return null;
  const mechanics = findTemplate(card.templateId)?.mechanics;
  const isCoupon = mechanics?.redeems.some(({ operation }) => operation === 'redeem_coupon') ?? false;
  return isCoupon ? refuse('COUPON_ALREADY_REDEEMED', 'This coupon was redeemed already.') : null;
}
