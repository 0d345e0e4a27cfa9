import type { TransactionStatus } from '../../../shared/contract/transaction.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import { endNames } from './end-names.ts';
import type { ServiceDatabase } from './open.ts';
import type { PlannedFailure } from './schema.ts';
import { transactionStatements } from './statements/transactions.ts';

export type { PlannedFailure } from './schema.ts';

/** With the key that pages of a history are cut by. */
export type PositionedTransaction = RowOf<typeof transactionStatements.byId>;

/** A transaction as it is kept. Points are in thousandths. */
export type StoredTransaction = Omit<PositionedTransaction, 'position'>;

/** A line of a history, with the key that its pages are cut by, and that of the line before it in time. */
type HistoryLine = RowOf<typeof transactionStatements.history>;

/** What the interface shows of a transaction. */
export type ShownTransaction = Omit<HistoryLine, 'position' | 'previousPosition'>;

/** How a transaction ends. */
type Completion = Pick<StoredTransaction, 'status' | 'completedAtMs' | 'deltas' | 'newBalances' | 'error'>;

/** What applying a transaction needs to know of it. */
export type DueTransaction = RowOf<typeof transactionStatements.due>;

/** One that becomes final by itself. */
type PendingTransaction = RowOf<typeof transactionStatements.pending>;

export interface TransactionStore {
  insert(transaction: StoredTransaction): void;
  byId(transactionId: string): PositionedTransaction | null;
  byNaturalKey(source: string, naturalKey: string): PositionedTransaction | null;
  /** A partner's reversals of other partners' transactions, by the reference that they show. */
  foreignReversals(source: string, externalRef: string): readonly PositionedTransaction[];
  /** The reversal of a transaction that is under way or done; one that failed leaves the way free for another. */
  liveReversalOf(transactionId: string): PositionedTransaction | null;
  /**
   * Newest first; only those before the one at `beforePosition` when that is given.
   *
   * @returns null when that one is not the customer's
   * @throws Error when a link between them is damaged: a page that ends early would look like the whole history
   */
  ofCustomer(customerId: string, beforePosition: number | null, limit: number): readonly HistoryLine[] | null;
  /** Pending ones whose time has come, in the order of their time. */
  due(nowMs: number, limit: number): readonly DueTransaction[];
  nextDueAtMs(): number | null;
  /** Not final yet, in the order of their time. */
  pending(limit: number): readonly PendingTransaction[];
  complete(position: number, completion: Completion): void;
  setStatus(transactionId: string, status: TransactionStatus): void;
  planFailure(transactionId: string, failure: PlannedFailure): void;
}

const startOver = "Put a whole copy of the sandbox's data file in its place, or start over with POST /_sandbox/reset";

export function createTransactionStore(database: ServiceDatabase): TransactionStore {
  const { insert, insertOpen, link, complete, setStatus, planFailure, ...reads } = prepareAll(
    database,
    transactionStatements,
  );
  return {
    insert(transaction) {
      const isOpen = endNames.every((name) => transaction[name] === null);
      (isOpen ? insertOpen : insert).run(transaction);
      const { customerId } = transaction;
      if (customerId !== null) link.run({ customerId });
    },
    byId: (transactionId) => reads.byId.get({ transactionId }),
    byNaturalKey: (source, naturalKey) => reads.byNaturalKey.get({ source, naturalKey }),
    foreignReversals: (source, externalRef) => reads.foreignReversals.all({ source, externalRef }),
    liveReversalOf: (reversesTransactionId) => reads.liveReversalOf.get({ reversesTransactionId }),
    ofCustomer(customerId, beforePosition, limit) {
      const begin =
        beforePosition === null
          ? (reads.newest.get({ customerId }) ?? { position: null })
          : reads.before.get({ customerId, position: beforePosition });
      if (begin === null) return null;
      if (begin.position === null) return [];
      const lines = reads.history.all({ customerId, begin: begin.position, limit });
      const isBack = beforePosition === null || begin.position < beforePosition;
      const isWhole = isBack && (lines.length === limit || lines.at(-1)?.previousPosition === null);
      if (!isWhole)
        throw new Error(`The history of ${customerId} is damaged: one of its transactions is missing. ${startOver}`);
      return lines;
    },
    due: (nowMs, limit) => reads.due.all({ nowMs, limit }),
    nextDueAtMs: () => reads.nextDue.get()?.atMs ?? null,
    pending: (limit) => reads.pending.all({ limit }),
    complete: (position, completion) => void complete.run({ position, ...completion }),
    setStatus: (transactionId, status) => void setStatus.run({ transactionId, status }),
    planFailure: (transactionId, plannedFailure) => void planFailure.run({ transactionId, plannedFailure }),
  };
}
