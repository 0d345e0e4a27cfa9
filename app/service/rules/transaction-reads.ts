import type { Transaction } from '../../../shared/contract/transaction.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import { naturalKeysShowing } from './idempotency.ts';
import { transactionView } from './transaction-view.ts';

/** Spec "GET /transactions/{transaction_id}". */
export function readTransaction(
  { store, clock }: ServiceContext,
  call: Call<unknown, { readonly transaction_id: string }>,
): Result {
  const transaction = store.transactions.byId(call.params.transaction_id);
  return transaction === null ? refuseUnknownTransaction() : done(200, transactionView(transaction, clock.now()));
}

/** Spec "GET /transactions": what the caller's own source recorded under the reference, oldest first. */
export function readTransactionsByReference(
  { store, clock }: ServiceContext,
  call: Call<unknown, unknown, { readonly external_ref: string }>,
): Result {
  const { external_ref: externalRef } = call.query;
  const { source } = call.caller;
  const named = naturalKeysShowing(externalRef)
    .map((naturalKey) => store.transactions.byNaturalKey(source, naturalKey))
    .filter((transaction) => transaction !== null);
  const found = [...named, ...store.transactions.foreignReversals(source, externalRef)].sort(
    (one, other) => one.position - other.position,
  );
  const data: Transaction[] = found.map((transaction) => transactionView(transaction, clock.now()));
  return done(200, { data }, { externalRef });
}

/** gap: Transactions. */
export function refuseUnknownTransaction(): Refusal {
  return refuse('VALIDATION_ERROR', 'There is no such transaction.', {
    status: 404,
    details: ['transaction_not_found'],
  });
}
