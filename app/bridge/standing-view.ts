import type { Transaction } from '../../shared/contract/transaction.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import { transactionView } from './transaction-view.ts';

type Core = Pick<AgentCore, 'operation' | 'operationByTransactionId'>;

/** The operation that a program knows: the first one, when this operation was sent in place of another. Mostly itself. */
export function firstOf(core: Pick<Core, 'operation'>, operation: Operation): Operation {
  const before = operation.replacesRowId === null ? null : core.operation(operation.replacesRowId);
  return before === null ? operation : firstOf(core, before);
}

/**
 * The operation that an id means. When a person has sent a sale again under another number, the service's id of that
 * second operation means the first one: the POS program knows only the first one, and was told this id with it.
 */
export function namedBy(core: Core, transactionId: string): Operation | null {
  const found = core.operationByTransactionId(transactionId);
  return found === null || found.transactionId === transactionId ? found : firstOf(core, found);
}

/** What became of an operation, and the row that tells it. */
interface StandingView {
  readonly standing: Operation;
  /** With the id and the reference of the operation: its program knows only these. */
  readonly own: Transaction;
}

/**
 * How an operation is shown to its program. When a person has sent a sale again under another number, the outcome of that
 * second row is shown. If the first row were shown as failed, the program would earn the sale a second time.
 *
 * @returns null for a write that makes no transaction
 */
export function standingView(core: Pick<AgentCore, 'standingFor'>, operation: Operation): StandingView | null {
  const standing = core.standingFor(operation);
  const view = transactionView(standing);
  if (view === null) return null;
  const { transactionId, externalRef } = operation;
  return { standing, own: { ...view, transaction_id: transactionId, external_ref: externalRef } };
}
