import type { z } from 'zod';
import type { Transaction } from '../../shared/contract/transaction.ts';
import type { TillReply } from '../../shared/till/api.ts';
import { type CustomerHistory, customerCommands, type PastTransaction } from '../../shared/till/customer-commands.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import { command, type Handlers } from './command.ts';
import { operationView } from './operation-view.ts';
import { succeeded } from './replies.ts';

type Input = z.output<(typeof customerCommands)['customer.history']['input']>;
type Core = Pick<
  AgentCore,
  'lastTransactions' | 'operationsOfCustomer' | 'operationByTransactionId' | 'operationsByReference'
>;

/** More than are shown, because some are left out, and every operation that waits must be counted. */
const mostOperations = 50;

export function customerHandlers(core: Core): Handlers<keyof typeof customerCommands> {
  return {
    'customer.history': command(customerCommands['customer.history'], (input) => customerHistory(core, input)),
  };
}

async function customerHistory(
  core: Core,
  { identifier, customer_id, card_ids }: Input,
): Promise<TillReply<CustomerHistory>> {
  const last = customer_id === null ? null : await core.lastTransactions(customer_id);
  const identifiers = customer_id === null ? [identifier] : [identifier, { customer_id }];
  const operations = core.operationsOfCustomer({ identifiers, cardIds: card_ids }, mostOperations);
  return succeeded({
    last: last === null ? null : { ...last, transactions: last.transactions.map((one) => pastTransaction(core, one)) },
    operations: operations.map(operationView),
  });
}

function pastTransaction(core: Core, transaction: Transaction): PastTransaction {
  const { transaction_id, intent, status, card_id, amount_minor, currency, points, stamps, visits, occurred_at } =
    transaction;
  const own = ownOf(core, transaction);
  const values = { amount_minor, currency, points, stamps, visits };
  return {
    transaction_id,
    intent,
    status,
    card_id,
    ...values,
    occurred_at,
    operation_id: own?.operationId ?? null,
    given_name: own?.givenName ?? null,
  };
}

/**
 * Finds this till's own operation, by the service's id, or by its reference while its id is unknown. Another till may
 * have used the reference for another card.
 */
function ownOf(core: Core, { transaction_id, external_ref, intent, card_id }: Transaction): Operation | null {
  const byId = core.operationByTransactionId(transaction_id);
  if (byId !== null) return byId;
  const sameReference = core.operationsByReference(external_ref);
  const isOwn = (one: Operation): boolean =>
    one.intent === intent &&
    one.serviceTransactionId === null &&
    (one.cardId === null || card_id === null || one.cardId === card_id);
  return sameReference.find(isOwn) ?? null;
}
