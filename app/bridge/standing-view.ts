import type { Transaction } from '../../shared/contract/transaction.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import { transactionView } from './transaction-view.ts';

type Core = Pick<AgentCore, 'operation' | 'operationByTransactionId'>;

/** The operation that a program knows: the first of those in whose place this one stands, mostly itself. */
export function firstOf(core: Pick<Core, 'operation'>, operation: Operation): Operation {
  const before = operation.replacesRowId === null ? null : core.operation(operation.replacesRowId);
  return before === null ? operation : firstOf(core, before);
}

/**
 * The operation that an id means. The service's id of a sale that a person has sent under another number means the one
 * that its program knows: it was told that id with it.
 */
export function namedBy(core: Core, transactionId: string): Operation | null {
  const found = core.operationByTransactionId(transactionId);
  return found === null || found.transactionId === transactionId ? found : firstOf(core, found);
}

/** What became of an operation, and the row that tells it. */
interface StandingView {
  readonly standing: Operation;
  /** Under the id and the reference of the operation, which alone its program knows. */
  readonly own: Transaction;
}

/**
 * A sale that a person has sent under another number is told by the row that stands for it. Told as failed, its program
 * would earn it a second time.
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
