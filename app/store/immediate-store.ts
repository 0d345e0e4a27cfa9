import type { Database } from 'better-sqlite3';
import type { SendableOperation } from '../operations/delivery.ts';
import type { NewOperation } from '../operations/new-operation.ts';
import type { Decision, Operation } from '../operations/operation.ts';
import type { KeptRequest } from '../operations/same-request.ts';
import { type OperationStore, type SendableRow, toSendable } from './operation-store.ts';
import { type OperationRow, operationColumns, toOperation } from './rows.ts';
import { insertedColumns, sendableColumns } from './statements.ts';

/** A row's times, as they were when it was saved. */
export interface StoredClock {
  readonly occurredAtMs: number;
  readonly from: 'caller' | 'till';
  readonly tillTimeMs: number;
  readonly monotonicMs: number;
  readonly skewMs: number | null;
}

/** The frozen request and the values of a row whose body a person has corrected. */
export type CorrectedBody = Pick<
  NewOperation,
  'body' | 'card_id' | 'amount_minor' | 'currency' | 'points' | 'stamps' | 'visits'
>;

/**
 * What is asked of single rows: writes for which somebody waits, reversals, and people's decisions. Methods that write
 * run inside a transaction of the Writer and nowhere else.
 */
export class ImmediateStore {
  readonly #operations: OperationStore;
  readonly #statements;

  constructor(database: Database, operations: OperationStore) {
    this.#operations = operations;
    this.#statements = prepareStatements(database);
  }

  /** The row as it was sent last; null once its request was erased after the retention time. */
  sent(rowId: number): SendableOperation | null {
    const row = this.#statements.sendable.get(rowId);
    return row === undefined ? null : { ...toSendable(row), send: row.sends };
  }

  setAnswer(rowId: number, answer: unknown): void {
    this.#statements.setAnswer.run({ answer: JSON.stringify(answer), rowId });
  }

  /** A new version of the body: only after a proven refusal or a proven absence. */
  correct(rowId: number, body: CorrectedBody): void {
    this.#statements.correct.run({ ...body, row_id: rowId });
  }

  /** What the row keeps of its request; null when there is no such row. */
  keptRequest(rowId: number): KeptRequest | null {
    const row = this.#statements.keptRequest.get(rowId);
    return row === undefined ? null : { ...row, isOfThisRun: rowId > this.#operations.lastRowIdBefore };
  }

  /**
   * Another request in the place of one that is proven never recorded, under the same reference. The row keeps its
   * number, its operation_id and its history; nothing else of the first request is left.
   */
  replaceRequest(rowId: number, row: NewOperation): void {
    this.#statements.replaceRequest.run({ ...row, row_id: rowId });
  }

  /** A reversal that was passed on turns out to take back an operation of ours. */
  linkReversal(rowId: number, originalRowId: number): void {
    this.#statements.linkReversal.run(originalRowId, rowId);
  }

  /** What the row kept of the till's clock. */
  clockAtSave(rowId: number): StoredClock | null {
    return this.#statements.clockAtSave.get(rowId) ?? null;
  }

  /** The till's own time stays in its column. */
  correctInstant(
    rowId: number,
    corrected: { readonly occurredAtMs: number; readonly body: string; readonly skewMs: number },
  ): void {
    this.#statements.correctInstant.run(corrected.occurredAtMs, corrected.body, corrected.skewMs, rowId);
  }

  decide(rowId: number, decision: Decision, atMs: number): void {
    this.#statements.decide.run(decision, atMs, rowId);
  }

  /**
   * Immediate writes whose outcome is not known, due for a look, oldest first. Those that seem to wait longer than
   * `longestWaitMs` are among them: the wall clock was set back meanwhile.
   */
  dueUnknown(nowMs: number, longestWaitMs: number, limit: number): readonly Operation[] {
    return this.#statements.dueUnknown.all(nowMs, nowMs + longestWaitMs, limit).map(toOperation);
  }

  /** When the next of them is due; null when there is none. */
  nextUnknownAtMs(): number | null {
    return this.#statements.nextUnknown.get()?.at ?? null;
  }

  /** Writes of the same bytes to the same path whose outcome is not known. */
  unknownCopiesOf(rowId: number): readonly Operation[] {
    return this.#statements.unknownCopiesOf.all(rowId).map(toOperation);
  }

  /**
   * The newest enrollment that was asked for under a caller's reference: each time is a row of its own, with a number
   * sign and its operation_id behind the reference. None that came to nothing, or whose request was erased.
   */
  enrollmentUnder(reference: string): Operation | null {
    const row = this.#statements.enrollmentUnder.get({ reference });
    return row === undefined ? null : toOperation(row);
  }

  /** Immediate writes of the same bytes to the same path that are being sent. */
  sendingLike({ intent, path, body }: Pick<NewOperation, 'intent' | 'path' | 'body'>): readonly number[] {
    return this.#statements.sendingLike.all(intent, path, body).map(({ rowId }) => rowId);
  }

  postpone(rowId: number, untilMs: number): void {
    this.#statements.postpone.run(untilMs, rowId);
  }

  /** The reversal of a row that is under way or done; none that came to nothing. */
  reversalOf(rowId: number): Operation | null {
    const row = this.#statements.reversalOf.get(rowId);
    return row === undefined ? null : toOperation(row);
  }

  /** How many reversals of it the service has recorded as failed. */
  failedReversalCount(rowId: number): number {
    return this.#statements.failedReversalCount.get(rowId)?.count ?? 0;
  }

  replacementOf(rowId: number): Operation | null {
    const row = this.#statements.replacementOf.get(rowId);
    return row === undefined ? null : toOperation(row);
  }

  /** Everything that a row was saved with, for a new one like it. */
  rowToCopy(rowId: number): NewOperation | null {
    const row = this.#statements.rowToCopy.get(rowId);
    return row === undefined ? null : { ...row, state: 'queued' };
  }

  /** Rows that wait for a person, and those whose outcome is not known since `unknownSinceMs`; oldest first. */
  needingAttention(page: {
    readonly afterRowId: number;
    readonly limit: number;
    readonly unknownSinceMs: number;
  }): readonly Operation[] {
    return this.#statements.needingAttention.all(page).map(toOperation);
  }

  /** Says of the row's latest change who decided it and why. */
  annotate(rowId: number, note: { readonly reason: string; readonly person: string | null }): void {
    this.#statements.annotate.run(note.reason, note.person, rowId, rowId);
  }
}

/** Everything that is saved with a request, but what names the row. */
const replacedColumns = insertedColumns.filter(
  (column) =>
    !['row_id', 'operation_id', 'external_ref', 'intent', 'state', 'saved_at', 'replaces_row_id'].includes(column),
);

const select = `SELECT ${operationColumns} FROM operations`;
const unknownImmediate = `state = 'unknown' AND delivery = 'immediate'`;

function spent(field: 'amount_minor' | 'points'): string {
  return `iif(intent = 'commit' AND :answer ->> '$.${field}' > 0, :answer ->> '$.${field}', ${field})`;
}

function prepareStatements(database: Database) {
  return {
    sendable: database.prepare<[number], SendableRow>(
      `SELECT ${sendableColumns} FROM operations WHERE row_id = ? AND body IS NOT NULL`,
    ),
    // A commit's request has no values: what it spent stays when the answer is erased after the retention time.
    setAnswer: database.prepare<[{ readonly answer: string; readonly rowId: number }]>(
      `UPDATE operations SET answer = :answer,
         amount_minor = ${spent('amount_minor')}, points = ${spent('points')},
         currency = iif(intent = 'commit' AND length(:answer ->> '$.currency') = 3, :answer ->> '$.currency', currency)
       WHERE row_id = :rowId`,
    ),
    correct: database.prepare<[CorrectedBody & { row_id: number }]>(
      `UPDATE operations SET body = :body, body_version = body_version + 1, card_id = :card_id,
         amount_minor = :amount_minor, currency = :currency, points = :points, stamps = :stamps, visits = :visits,
         decision = NULL, decided_at = NULL, cause = NULL, error = NULL
       WHERE row_id = :row_id AND state = 'queued'`,
    ),
    keptRequest: database.prepare<[number], Omit<KeptRequest, 'isOfThisRun'>>(
      `SELECT operation_id, intent, path, body, identifier_kind, identifier_value, card_id, amount_minor, currency,
         points, stamps, visits, occurred_at, occurred_at_from, till_time, monotonic_ms, reverses_row_id
       FROM operations WHERE row_id = ?`,
    ),
    replaceRequest: database.prepare<[NewOperation]>(
      `UPDATE operations SET ${replacedColumns.map((column) => `${column} = :${column}`).join(', ')},
         body_version = body_version + 1, decision = NULL, decided_at = NULL, cause = NULL, error = NULL, answer = NULL,
         service_transaction_id = NULL, service_customer_id = NULL, service_card_id = NULL, new_balances = NULL,
         completed_at = NULL, attempts = 0, found = NULL
       WHERE row_id = :row_id AND state = 'queued' AND maybe_sent = 0`,
    ),
    linkReversal: database.prepare<[number, number]>(
      'UPDATE operations SET reverses_row_id = ? WHERE row_id = ? AND reverses_row_id IS NULL',
    ),
    clockAtSave: database.prepare<[number], StoredClock>(
      `SELECT occurred_at AS occurredAtMs, occurred_at_from AS "from", till_time AS tillTimeMs,
         monotonic_ms AS monotonicMs, clock_skew_ms AS skewMs FROM operations WHERE row_id = ?`,
    ),
    correctInstant: database.prepare<[number, string, number, number]>(
      'UPDATE operations SET occurred_at = ?, body = ?, clock_skew_ms = ? WHERE row_id = ? AND sends = 0',
    ),
    decide: database.prepare<[Decision, number, number]>(
      'UPDATE operations SET decision = ?, decided_at = ? WHERE row_id = ?',
    ),
    dueUnknown: database.prepare<[number, number, number], OperationRow>(
      `${select} WHERE ${unknownImmediate} AND (next_attempt_at <= ? OR next_attempt_at > ?) ORDER BY occurred_at, row_id LIMIT ?`,
    ),
    nextUnknown: database.prepare<[], { at: number | null }>(
      `SELECT min(next_attempt_at) AS at FROM operations WHERE ${unknownImmediate}`,
    ),
    unknownCopiesOf: database.prepare<[number], OperationRow>(
      `${select} WHERE ${unknownImmediate} AND (intent, path, body) = (SELECT intent, path, body FROM operations WHERE row_id = ?)`,
    ),
    // The dollar sign is what comes after the number sign.
    enrollmentUnder: database.prepare<[{ readonly reference: string }], OperationRow>(
      `${select} WHERE intent = 'enroll' AND external_ref > :reference || '#' AND external_ref < :reference || '$'
         AND body ->> '$.external_ref' = :reference AND state NOT IN ('refused', 'cancelled', 'written_off')
       ORDER BY row_id DESC LIMIT 1`,
    ),
    sendingLike: database.prepare<[string, string, string], { rowId: number }>(
      `SELECT row_id AS rowId FROM operations
       WHERE state = 'sending' AND delivery = 'immediate' AND intent = ? AND path = ? AND body = ?`,
    ),
    postpone: database.prepare<[number, number]>('UPDATE operations SET next_attempt_at = ? WHERE row_id = ?'),
    reversalOf: database.prepare<[number], OperationRow>(
      `${select} WHERE reverses_row_id = ? AND state <> 'failed' AND state <> 'cancelled' AND state <> 'written_off'`,
    ),
    failedReversalCount: database.prepare<[number], { count: number }>(
      `SELECT count(*) AS count FROM operations WHERE reverses_row_id = ? AND state IN ('failed', 'written_off')`,
    ),
    replacementOf: database.prepare<[number], OperationRow>(`${select} WHERE replaces_row_id = ?`),
    rowToCopy: database.prepare<[number], NewOperation>(
      `SELECT ${insertedColumns.join(', ')} FROM operations WHERE row_id = ? AND body IS NOT NULL`,
    ),
    needingAttention: database.prepare<
      [{ readonly afterRowId: number; readonly limit: number; readonly unknownSinceMs: number }],
      OperationRow
    >(
      `SELECT * FROM (${select} WHERE state = 'refused' UNION ALL ${select} WHERE state = 'failed'
         UNION ALL ${select} WHERE state = 'unknown' AND saved_at <= :unknownSinceMs
         UNION ALL ${select} WHERE found IS NOT NULL AND (state = 'applied' OR state = 'accepted'))
       WHERE row_id > :afterRowId ORDER BY row_id LIMIT :limit`,
    ),
    annotate: database.prepare<[string, string | null, number, number]>(
      `UPDATE operation_events SET reason = ?, person = ?
       WHERE row_id = ? AND version = (SELECT version FROM operations WHERE row_id = ?)`,
    ),
  };
}
