import type { Transaction } from '../../shared/contract/transaction.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import { transactionView } from './transaction-view.ts';

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
