import type { Transaction, TransactionStatus } from '../../../shared/contract/transaction.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import type { ShownTransaction } from '../store/transaction-store.ts';
import { pointScale } from './templates.ts';

/** The status to show now: a pending one is processing when its time is near. */
function shownStatus(transaction: ShownTransaction, nowMs: number): TransactionStatus {
  const { status, processAtMs } = transaction;
  return status === 'pending' && processAtMs !== null && nowMs >= processAtMs ? 'processing' : status;
}

/** A transaction as the interface shows it; `duplicate` is added by writes alone (spec "Transaction"). */
export function transactionView(transaction: ShownTransaction, nowMs: number): Transaction {
  return {
    transaction_id: transaction.transactionId,
    intent: transaction.intent,
    status: shownStatus(transaction, nowMs),
    external_ref: transaction.externalRef,
    customer_id: transaction.customerId,
    card_id: transaction.cardId,
    amount_minor: transaction.amountMinor,
    currency: transaction.currency,
    points: transaction.points === null ? null : transaction.points / pointScale,
    stamps: transaction.stamps,
    visits: transaction.visits,
    new_balances: transaction.newBalances,
    error: transaction.error,
    occurred_at: toInstant(transaction.occurredAtMs),
    completed_at: transaction.completedAtMs === null ? null : toInstant(transaction.completedAtMs),
  };
}
