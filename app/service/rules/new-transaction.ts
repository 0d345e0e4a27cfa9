import type { Balances } from '../../../shared/contract/profile.ts';
import type { StoredTransaction } from '../store/transaction-store.ts';
import type { Deltas } from './mechanics.ts';

type Always = 'transactionId' | 'source' | 'naturalKey' | 'intent' | 'externalRef' | 'request' | 'requestId';
type WhenItApplies =
  | 'customerId'
  | 'cardId'
  | 'operation'
  | 'amountMinor'
  | 'currency'
  | 'points'
  | 'stamps'
  | 'visits'
  | 'rewardId'
  | 'reversesTransactionId'
  | 'occurredAtMs';

/** What a write says of the transaction that it makes; what does not apply to it is left out. */
type TransactionFacts = Pick<StoredTransaction, Always> & Partial<Pick<StoredTransaction, WhenItApplies>>;

/** The last part of the delay in which a pending transaction shows as processing. */
const processingShare = 0.2;

/** Accepted now, applied after the delay (spec "Transaction status"; gap: Transactions). */
export function pendingTransaction(
  facts: TransactionFacts,
  { nowMs, delayMs }: { readonly nowMs: number; readonly delayMs: number },
): StoredTransaction {
  return {
    ...startedTransaction(facts, nowMs),
    status: 'pending',
    completedAtMs: null,
    processAtMs: nowMs + Math.ceil(delayMs * (1 - processingShare)),
    applyAtMs: nowMs + delayMs,
    deltas: null,
    newBalances: null,
  };
}

/** Done at once: its answer carries the new balances. */
export function completedTransaction(
  facts: TransactionFacts,
  { nowMs, deltas, newBalances }: { readonly nowMs: number; readonly deltas: Deltas; readonly newBalances: Balances },
): StoredTransaction {
  return {
    ...startedTransaction(facts, nowMs),
    status: 'success',
    completedAtMs: nowMs,
    processAtMs: null,
    applyAtMs: null,
    deltas,
    newBalances,
  };
}

type Ending = 'status' | 'completedAtMs' | 'processAtMs' | 'applyAtMs' | 'deltas' | 'newBalances';

function startedTransaction(facts: TransactionFacts, nowMs: number): Omit<StoredTransaction, Ending> {
  return {
    transactionId: facts.transactionId,
    source: facts.source,
    naturalKey: facts.naturalKey,
    intent: facts.intent,
    externalRef: facts.externalRef,
    customerId: facts.customerId ?? null,
    cardId: facts.cardId ?? null,
    operation: facts.operation ?? null,
    amountMinor: facts.amountMinor ?? null,
    currency: facts.currency ?? null,
    points: facts.points ?? null,
    stamps: facts.stamps ?? null,
    visits: facts.visits ?? null,
    rewardId: facts.rewardId ?? null,
    reversesTransactionId: facts.reversesTransactionId ?? null,
    request: facts.request,
    requestId: facts.requestId,
    occurredAtMs: facts.occurredAtMs ?? nowMs,
    createdAtMs: nowMs,
    plannedFailure: null,
    error: null,
  };
}
