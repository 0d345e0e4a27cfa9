import type { CardOperation } from '../../../shared/contract/card-names.ts';
import type { ErrorObject } from '../../../shared/contract/errors.ts';
import type { Intent } from '../../../shared/contract/primitives.ts';
import type { Balances } from '../../../shared/contract/profile.ts';
import type { TransactionStatus } from '../../../shared/contract/transaction.ts';
import type { Deltas } from '../rules/mechanics.ts';
import type { ServiceDatabase } from './open.ts';

/** How a pending transaction will end when the control API has said so. */
export interface PlannedFailure {
  readonly code: ErrorObject['code'];
  readonly message: string;
}

/** A transaction as it is kept. Points are in thousandths. */
export interface StoredTransaction {
  readonly transactionId: string;
  readonly source: string;
  readonly naturalKey: string;
  readonly intent: Intent;
  readonly status: TransactionStatus;
  readonly externalRef: string;
  readonly customerId: string | null;
  readonly cardId: string | null;
  readonly operation: CardOperation | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
  readonly rewardId: string | null;
  readonly reversesTransactionId: string | null;
  /** The request's known fields as JSON, in the contract's order: equal texts are equal requests. */
  readonly request: string;
  readonly requestId: string;
  readonly occurredAtMs: number;
  readonly createdAtMs: number;
  readonly completedAtMs: number | null;
  /** From when on a pending one shows as processing; null once it is final. */
  readonly processAtMs: number | null;
  /** When a pending one becomes final; null once it is. */
  readonly applyAtMs: number | null;
  readonly plannedFailure: PlannedFailure | null;
  /** The ledger: what it changed on its card when it was applied; null before that, and when it failed. */
  readonly deltas: Deltas | null;
  readonly newBalances: Balances | null;
  readonly error: ErrorObject | null;
}

/** With the key that pages of a history are cut by. */
export interface PositionedTransaction extends StoredTransaction {
  readonly position: number;
}

/** What the interface shows of a transaction. */
export type ShownTransaction = Pick<
  StoredTransaction,
  | 'transactionId'
  | 'intent'
  | 'status'
  | 'externalRef'
  | 'customerId'
  | 'cardId'
  | 'amountMinor'
  | 'currency'
  | 'points'
  | 'stamps'
  | 'visits'
  | 'occurredAtMs'
  | 'completedAtMs'
  | 'processAtMs'
  | 'newBalances'
  | 'error'
>;

/** A line of a history, with the key that its pages are cut by. */
export type HistoryLine = ShownTransaction & Pick<PositionedTransaction, 'position'>;

/** How a transaction ends. */
export interface Completion {
  readonly status: TransactionStatus;
  readonly completedAtMs: number;
  readonly deltas: Deltas | null;
  readonly newBalances: Balances | null;
  readonly error: ErrorObject | null;
}

/** What applying a transaction needs to know of it. */
export type DueTransaction = Pick<
  PositionedTransaction,
  | 'position'
  | 'status'
  | 'cardId'
  | 'operation'
  | 'amountMinor'
  | 'points'
  | 'stamps'
  | 'visits'
  | 'reversesTransactionId'
  | 'requestId'
  | 'plannedFailure'
>;

/** One that becomes final by itself. */
export type PendingTransaction = Pick<
  StoredTransaction,
  'transactionId' | 'intent' | 'externalRef' | 'customerId' | 'plannedFailure'
> & { readonly applyAtMs: number };

export interface TransactionStore {
  insert(transaction: StoredTransaction): void;
  byId(transactionId: string): PositionedTransaction | null;
  byNaturalKey(source: string, naturalKey: string): PositionedTransaction | null;
  /** A partner's reversals of other partners' transactions, by the reference that they show. */
  foreignReversals(source: string, externalRef: string): readonly PositionedTransaction[];
  /** The reversal of a transaction that is under way or done; one that failed leaves the way free for another. */
  liveReversalOf(transactionId: string): PositionedTransaction | null;
  /** Newest first, older than `beforePosition` when that is given. */
  ofCustomer(customerId: string, beforePosition: number | null, limit: number): readonly HistoryLine[];
  /** Pending ones whose time has come, in the order of their time. */
  due(nowMs: number, limit: number): readonly DueTransaction[];
  nextDueAtMs(): number | null;
  /** Not final yet, in the order of their time. */
  pending(limit: number): readonly PendingTransaction[];
  complete(position: number, completion: Completion): void;
  setStatus(transactionId: string, status: TransactionStatus): void;
  planFailure(transactionId: string, failure: PlannedFailure): void;
}

const columns = [
  'transaction_id',
  'source',
  'natural_key',
  'intent',
  'status',
  'external_ref',
  'customer_id',
  'card_id',
  'operation',
  'amount_minor',
  'currency',
  'points',
  'stamps',
  'visits',
  'reward_id',
  'reverses_transaction_id',
  'request',
  'request_id',
  'occurred_at_ms',
  'created_at_ms',
  'completed_at_ms',
  'process_at_ms',
  'apply_at_ms',
  'planned_failure',
  'deltas',
  'new_balances',
  'error',
] as const;

const all = `position, ${columns.join(', ')}`;

/** A row as SQLite gives it; the table's CHECKs and the writes of this file vouch for its values. */
interface TransactionRow {
  readonly position: number;
  readonly transaction_id: string;
  readonly source: string;
  readonly natural_key: string;
  readonly intent: Intent;
  readonly status: TransactionStatus;
  readonly external_ref: string;
  readonly customer_id: string | null;
  readonly card_id: string | null;
  readonly operation: CardOperation | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
  readonly reward_id: string | null;
  readonly reverses_transaction_id: string | null;
  readonly request: string;
  readonly request_id: string;
  readonly occurred_at_ms: number;
  readonly created_at_ms: number;
  readonly completed_at_ms: number | null;
  readonly process_at_ms: number | null;
  readonly apply_at_ms: number | null;
  readonly planned_failure: string | null;
  readonly deltas: string | null;
  readonly new_balances: string | null;
  readonly error: string | null;
}

interface HistoryRow extends Omit<HistoryLine, 'newBalances' | 'error'> {
  readonly newBalances: string | null;
  readonly error: string | null;
}

// A `+` before a parameter, a LIMIT's too, keeps SQLite from planning the statement anew for every value that it is
// given, which costs ten times the query itself.
export function createTransactionStore(database: ServiceDatabase): TransactionStore {
  const insert = database.prepare<(string | number | null)[]>(
    `INSERT INTO transactions (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const byId = database.prepare<[string], TransactionRow>(`SELECT ${all} FROM transactions WHERE transaction_id = ?`);
  const byNaturalKey = database.prepare<[string, string], TransactionRow>(
    `SELECT ${all} FROM transactions WHERE source = ? AND natural_key = ?`,
  );
  const foreignReversals = database.prepare<[string, string], TransactionRow>(
    `SELECT ${all} FROM transactions WHERE source = ? AND external_ref = ? AND natural_key GLOB 'reverse:id:*'`,
  );
  const liveReversalOf = database.prepare<[string], TransactionRow>(
    `SELECT ${all} FROM transactions WHERE reverses_transaction_id = ? AND status <> 'failed'`,
  );
  const ofCustomer = database.prepare<[string, number, number], HistoryRow>(
    `SELECT position, transaction_id AS transactionId, intent, status, external_ref AS externalRef,
       customer_id AS customerId, card_id AS cardId, amount_minor AS amountMinor, currency, points, stamps, visits,
       occurred_at_ms AS occurredAtMs, completed_at_ms AS completedAtMs, process_at_ms AS processAtMs,
       new_balances AS newBalances, error
     FROM transactions WHERE customer_id = +? AND position < +? ORDER BY position DESC LIMIT +?`,
  );
  const due = database.prepare<
    [number, number],
    Omit<DueTransaction, 'plannedFailure'> & { plannedFailure: string | null }
  >(
    `SELECT position, status, card_id AS cardId, operation, amount_minor AS amountMinor, points, stamps, visits,
       reverses_transaction_id AS reversesTransactionId, request_id AS requestId, planned_failure AS plannedFailure
     FROM transactions WHERE apply_at_ms <= +? ORDER BY apply_at_ms, position LIMIT +?`,
  );
  const nextDue = database.prepare<[], { at: number | null }>(
    'SELECT min(apply_at_ms) AS at FROM transactions WHERE apply_at_ms IS NOT NULL',
  );
  const pending = database.prepare<
    [number],
    Omit<PendingTransaction, 'plannedFailure'> & { plannedFailure: string | null }
  >(
    `SELECT transaction_id AS transactionId, intent, external_ref AS externalRef, customer_id AS customerId,
       apply_at_ms AS applyAtMs, planned_failure AS plannedFailure
     FROM transactions WHERE apply_at_ms IS NOT NULL ORDER BY apply_at_ms, position LIMIT +?`,
  );
  const complete = database.prepare<[string, number, string | null, string | null, string | null, number]>(
    `UPDATE transactions SET status = ?, completed_at_ms = ?, deltas = ?, new_balances = ?, error = ?,
       process_at_ms = NULL, apply_at_ms = NULL, planned_failure = NULL
     WHERE position = ?`,
  );
  const setStatus = database.prepare<[string, string]>('UPDATE transactions SET status = ? WHERE transaction_id = ?');
  const planFailure = database.prepare<[string, string]>(
    'UPDATE transactions SET planned_failure = ? WHERE transaction_id = ?',
  );
  return {
    insert: (transaction) => void insert.run(...toValues(transaction)),
    byId: (transactionId) => fromRow(byId.get(transactionId)),
    byNaturalKey: (source, naturalKey) => fromRow(byNaturalKey.get(source, naturalKey)),
    foreignReversals: (source, externalRef) => foreignReversals.all(source, externalRef).map(toTransaction),
    liveReversalOf: (transactionId) => fromRow(liveReversalOf.get(transactionId)),
    ofCustomer: (customerId, beforePosition, limit) =>
      ofCustomer.all(customerId, beforePosition ?? Number.MAX_SAFE_INTEGER, limit).map(toHistoryLine),
    due: (nowMs, limit) =>
      due.all(nowMs, limit).map((row) => ({ ...row, plannedFailure: parseOrNull(row.plannedFailure) })),
    nextDueAtMs: () => nextDue.get()?.at ?? null,
    pending: (limit) => pending.all(limit).map((row) => ({ ...row, plannedFailure: parseOrNull(row.plannedFailure) })),
    complete(position, { status, completedAtMs, deltas, newBalances, error }) {
      complete.run(status, completedAtMs, toJson(deltas), toJson(newBalances), toJson(error), position);
    },
    setStatus: (transactionId, status) => void setStatus.run(status, transactionId),
    planFailure: (transactionId, failure) => void planFailure.run(JSON.stringify(failure), transactionId),
  };
}

/** In the order of `columns`. */
function toValues(transaction: StoredTransaction): (string | number | null)[] {
  return [
    transaction.transactionId,
    transaction.source,
    transaction.naturalKey,
    transaction.intent,
    transaction.status,
    transaction.externalRef,
    transaction.customerId,
    transaction.cardId,
    transaction.operation,
    transaction.amountMinor,
    transaction.currency,
    transaction.points,
    transaction.stamps,
    transaction.visits,
    transaction.rewardId,
    transaction.reversesTransactionId,
    transaction.request,
    transaction.requestId,
    transaction.occurredAtMs,
    transaction.createdAtMs,
    transaction.completedAtMs,
    transaction.processAtMs,
    transaction.applyAtMs,
    toJson(transaction.plannedFailure),
    toJson(transaction.deltas),
    toJson(transaction.newBalances),
    toJson(transaction.error),
  ];
}

function fromRow(row: TransactionRow | undefined): PositionedTransaction | null {
  return row === undefined ? null : toTransaction(row);
}

function toTransaction(row: TransactionRow): PositionedTransaction {
  return {
    position: row.position,
    transactionId: row.transaction_id,
    source: row.source,
    naturalKey: row.natural_key,
    intent: row.intent,
    status: row.status,
    externalRef: row.external_ref,
    customerId: row.customer_id,
    cardId: row.card_id,
    operation: row.operation,
    amountMinor: row.amount_minor,
    currency: row.currency,
    points: row.points,
    stamps: row.stamps,
    visits: row.visits,
    rewardId: row.reward_id,
    reversesTransactionId: row.reverses_transaction_id,
    request: row.request,
    requestId: row.request_id,
    occurredAtMs: row.occurred_at_ms,
    createdAtMs: row.created_at_ms,
    completedAtMs: row.completed_at_ms,
    processAtMs: row.process_at_ms,
    applyAtMs: row.apply_at_ms,
    plannedFailure: parseOrNull(row.planned_failure),
    deltas: parseOrNull(row.deltas),
    newBalances: parseOrNull(row.new_balances),
    error: parseOrNull(row.error),
  };
}

function toHistoryLine(row: HistoryRow): HistoryLine {
  return { ...row, newBalances: parseOrNull(row.newBalances), error: parseOrNull(row.error) };
}

/** Only this file writes these columns, from values of the type they are read as. */
function parseOrNull<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
