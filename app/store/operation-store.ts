import type { Database } from 'better-sqlite3';
import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { Balances } from '../../shared/contract/profile.ts';
import { advance } from '../../shared/machines/machine.ts';
import { type OperationEvent, type OperationState, operationMachine } from '../../shared/machines/operation.ts';
import type { Cause } from '../../shared/till/views.ts';
import type { NewOperation } from '../operations/new-operation.ts';
import type { Operation, OperationHistoryEntry } from '../operations/operation.ts';
import { StateCounts } from './counts.ts';
import { type HistoryRow, type OperationRow, operationColumns, toHistoryEntry, toOperation } from './rows.ts';

/** A row with what sending it takes. */
export interface SendableOperation extends WaitingKey {
  /** Rows of one lane are never in flight together: one lane per customer identifier. */
  readonly lane: string;
  readonly path: string;
  /** The frozen bytes. */
  readonly body: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly maybeSent: boolean;
  /** The number of the send that a mark starts. */
  readonly send: number;
}

/** One step of an operation's life, to be recorded with its history line in one commit. */
export interface OperationChange {
  readonly rowId: number;
  readonly event: OperationEvent;
  readonly atMs: number;
  /**
   * The send that this is about: an answer to an older one never overwrites what a newer one has learned. Null when
   * it is about none.
   */
  readonly send: number | null;
  readonly cause: Cause | null;
  readonly error: ReceivedError | null;
  readonly httpStatus: number | null;
  readonly requestId: string | null;
  readonly attempts: number;
  readonly maybeSent: boolean;
  readonly nextAttemptAtMs: number;
  readonly serviceTransactionId: string | null;
  readonly serviceCustomerId: string | null;
  readonly serviceCardId: string | null;
  readonly newBalances: Balances | null;
  readonly completedAtMs: number | null;
}

/** Where a keyset page goes on. */
export interface WaitingKey {
  readonly occurredAtMs: number;
  readonly rowId: number;
}

/** An accepted row with what polling it takes. */
export interface AcceptedOperation extends WaitingKey {
  readonly serviceTransactionId: string;
  readonly send: number;
  readonly attempts: number;
  readonly updatedAtMs: number;
}

interface SendableRow {
  readonly row_id: number;
  readonly occurred_at: number;
  readonly identifier_kind: string | null;
  readonly identifier_value: string | null;
  readonly path: string;
  readonly body: string;
  readonly idempotency_key: string | null;
  readonly attempts: number;
  readonly maybe_sent: 0 | 1;
  readonly sends: number;
}

interface AcceptedRow {
  readonly row_id: number;
  readonly occurred_at: number;
  readonly service_transaction_id: string;
  readonly sends: number;
  readonly attempts: number;
  readonly updated_at: number;
}

/** A success that comes late is never ignored, whichever send it answers. */
const lateSuccesses: ReadonlySet<OperationEvent> = new Set(['accept', 'apply']);

const sendableColumns = `row_id, occurred_at, identifier_kind, identifier_value, path, body, idempotency_key, attempts, maybe_sent, sends`;

/** Bound by place: twenty-odd names cost more to look up than the insert itself. */
const insertedColumns = [
  'row_id',
  'operation_id',
  'intent',
  'delivery',
  'origin',
  'state',
  'external_ref',
  'identifier_kind',
  'identifier_value',
  'customer_name',
  'card_id',
  'amount_minor',
  'currency',
  'points',
  'stamps',
  'visits',
  'occurred_at',
  'occurred_at_from',
  'business_date',
  'till_time',
  'monotonic_ms',
  'clock_skew_ms',
  'path',
  'body',
  'idempotency_key',
  'saved_at',
] as const satisfies readonly (keyof NewOperation)[];

const acceptedColumns = 'row_id, occurred_at, service_transaction_id, sends, attempts, updated_at';

/** The operations in SQLite. Methods that write run inside a transaction of the Writer and nowhere else. */
export class OperationStore {
  readonly counts: StateCounts;
  readonly #database: Database;
  readonly #statements;
  #lastRowId: number;

  constructor(database: Database) {
    this.#database = database;
    this.counts = new StateCounts(database);
    this.#statements = prepareStatements(database);
    this.#lastRowId =
      database
        .prepare<[], { last: number }>(
          `SELECT max(coalesce((SELECT max(row_id) FROM operations), 0),
             (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_deleted_row_id')) AS last`,
        )
        .get()?.last ?? 0;
  }

  get isOpen(): boolean {
    return this.#database.open;
  }

  /** A row number that was never given out before; a save that fails leaves a gap. */
  takeRowId(): number {
    this.#lastRowId += 1;
    return this.#lastRowId;
  }

  /** @returns null when the row is new, else the row that already has its operation_id, or its reference and intent */
  insert(row: NewOperation): Operation | null {
    const { changes } = this.#statements.insert.run(
      insertedColumns.map((column) => row[column]),
      row.saved_at,
    );
    if (changes === 0) {
      const existing = this.existing(row);
      if (existing === null) throw new Error(`Row ${row.row_id} conflicts with no row that can be found`);
      return existing;
    }
    this.#statements.insertFirstEvent.run(row.row_id, row.state, row.saved_at);
    this.counts.add(row.state, 1);
    return null;
  }

  /** The row that has this operation_id, or else this reference and intent. */
  existing(row: Pick<NewOperation, 'operation_id' | 'external_ref' | 'intent'>): Operation | null {
    return (
      this.operationById(row.operation_id) ?? this.#one(this.#statements.byNaturalKey.get(row.external_ref, row.intent))
    );
  }

  /** Marks rows as being sent: queued and unknown ones, whichever still are. One statement for a whole window. */
  mark(rowIds: readonly number[], facts: { readonly atMs: number; readonly keyFingerprint: string }): void {
    const ids = JSON.stringify(rowIds);
    for (const from of ['queued', 'unknown'] as const) {
      const marked = { ids, from, at: facts.atMs, key: facts.keyFingerprint };
      const { changes } = this.#statements.insertMarkEvents.run(marked);
      if (changes === 0) continue;
      this.#statements.mark.run(marked);
      this.counts.add(from, -changes);
      this.counts.add('sending', changes);
    }
  }

  /** @returns the state after the change; null when the machine, or a newer send, does not let it happen */
  change(change: OperationChange): OperationState | null {
    const current = this.#statements.current.get(change.rowId);
    if (current === undefined) return null;
    const send = change.send ?? current.sends;
    if (send < current.sends && !lateSuccesses.has(change.event)) return null;
    const next = advance(operationMachine, current.state, change.event);
    if (next === null) return null;
    const version = current.version + 1;
    // By place, as the insert.
    this.#statements.change.run(
      next,
      version,
      change.atMs,
      change.cause,
      change.error === null ? null : JSON.stringify(change.error),
      change.attempts,
      change.maybeSent ? 1 : 0,
      change.nextAttemptAtMs,
      change.serviceTransactionId,
      change.serviceCustomerId,
      change.serviceCardId,
      change.newBalances === null ? null : JSON.stringify(change.newBalances),
      change.completedAtMs,
      change.rowId,
    );
    this.#statements.insertEvent.run(
      change.rowId,
      version,
      current.state,
      next,
      change.atMs,
      send,
      change.cause,
      change.httpStatus,
      change.error?.code ?? null,
      change.requestId,
      current.key_fingerprint,
    );
    this.counts.add(current.state, -1);
    this.counts.add(next, 1);
    return next;
  }

  /** The oldest queued rows, page by page; those already marked are no longer queued. */
  queued(after: WaitingKey | null, limit: number): readonly SendableOperation[] {
    return this.#statements.queued.all(...keyOf(after), limit).map(toSendable);
  }

  /**
   * Unknown rows whose time to be sent again has come, oldest first. Those that seem to wait longer than `longestWaitMs`
   * are among them: the wall clock was set back meanwhile.
   */
  dueUnknown(nowMs: number, longestWaitMs: number, limit: number): readonly SendableOperation[] {
    return this.#statements.dueUnknown.all(nowMs, nowMs + longestWaitMs, limit).map(toSendable);
  }

  /** When the next unknown row is to be sent again; null when there is none. */
  nextUnknownAtMs(): number | null {
    return this.#statements.nextUnknown.get()?.at ?? null;
  }

  /** Rows that a crash left marked as being sent. */
  sending(limit: number): readonly SendableOperation[] {
    return this.#statements.sending.all(limit).map((row) => ({ ...toSendable(row), send: row.sends }));
  }

  accepted(after: WaitingKey | null, limit: number): readonly AcceptedOperation[] {
    return this.#statements.accepted.all(...keyOf(after), limit).map(toAccepted);
  }

  acceptedRow(rowId: number): AcceptedOperation | null {
    const row = this.#statements.acceptedRow.get(rowId);
    return row === undefined ? null : toAccepted(row);
  }

  /** When the oldest operation that still waits took place; null when none waits. */
  oldestWaitingAtMs(): number | null {
    return this.#statements.oldestWaiting.get()?.at ?? null;
  }

  operation(rowId: number): Operation | null {
    return this.#one(this.#statements.byRowId.get(rowId));
  }

  operationById(operationId: string): Operation | null {
    return this.#one(this.#statements.byOperationId.get(operationId));
  }

  operationByServiceTransactionId(id: string): Operation | null {
    return this.#one(this.#statements.byServiceTransactionId.get(id));
  }

  operationsByReference(externalRef: string): readonly Operation[] {
    return this.#statements.byReference.all(externalRef).map(toOperation);
  }

  /** Newest first. */
  recent(limit: number, beforeRowId: number): readonly Operation[] {
    return this.#statements.recent.all(beforeRowId, limit).map(toOperation);
  }

  /**
   * Earns of a customer saved since an instant, newest first, among the 2,000 operations saved last. An index would cost
   * every sale a page of the log, for a look that only a till takes.
   */
  earnsOfCustomer(identifierValue: string, sinceMs: number): readonly Operation[] {
    return this.#statements.earnsOfCustomer.all(identifierValue, sinceMs).map(toOperation);
  }

  history(rowId: number): readonly OperationHistoryEntry[] {
    return this.#statements.history.all(rowId).map(toHistoryEntry);
  }

  #one(row: OperationRow | undefined): Operation | null {
    return row === undefined ? null : toOperation(row);
  }
}

function keyOf(after: WaitingKey | null): [occurredAtMs: number, rowId: number] {
  return [after?.occurredAtMs ?? Number.MIN_SAFE_INTEGER, after?.rowId ?? 0];
}

function toSendable(row: SendableRow): SendableOperation {
  return {
    rowId: row.row_id,
    occurredAtMs: row.occurred_at,
    lane: row.identifier_value === null ? `row:${row.row_id}` : `${row.identifier_kind}:${row.identifier_value}`,
    path: row.path,
    body: row.body,
    idempotencyKey: row.idempotency_key,
    attempts: row.attempts,
    maybeSent: row.maybe_sent === 1,
    send: row.sends + 1,
  };
}

function toAccepted(row: AcceptedRow): AcceptedOperation {
  return {
    rowId: row.row_id,
    occurredAtMs: row.occurred_at,
    serviceTransactionId: row.service_transaction_id,
    send: row.sends,
    attempts: row.attempts,
    updatedAtMs: row.updated_at,
  };
}

function prepareStatements(database: Database) {
  const select = `SELECT ${operationColumns} FROM operations`;
  return {
    insert: database.prepare<[readonly NewOperation[keyof NewOperation][], number]>(`
      INSERT INTO operations (${insertedColumns.join(', ')}, updated_at, version, body_version)
      VALUES (${insertedColumns.map(() => '?').join(', ')}, ?, 1, 1)
      ON CONFLICT DO NOTHING`),
    insertFirstEvent: database.prepare<[number, OperationState, number]>(
      'INSERT INTO operation_events (row_id, version, to_state, at, send) VALUES (?, 1, ?, ?, 0)',
    ),
    insertMarkEvents: database.prepare<[{ ids: string; from: OperationState; at: number; key: string }]>(`
      INSERT INTO operation_events (row_id, version, from_state, to_state, at, send, key_fingerprint)
      SELECT row_id, version + 1, state, 'sending', @at, sends + 1, @key
      FROM operations WHERE row_id IN (SELECT value FROM json_each(@ids)) AND state = @from`),
    mark: database.prepare<[{ ids: string; from: OperationState; at: number; key: string }]>(`
      UPDATE operations SET state = 'sending', version = version + 1, sends = sends + 1, updated_at = @at,
        key_fingerprint = @key
      WHERE row_id IN (SELECT value FROM json_each(@ids)) AND state = @from`),
    current: database.prepare<
      [number],
      { state: OperationState; version: number; sends: number; key_fingerprint: string | null }
    >('SELECT state, version, sends, key_fingerprint FROM operations WHERE row_id = ?'),
    change: database.prepare(`
      UPDATE operations SET state = ?, version = ?, updated_at = ?, cause = ?, error = ?, attempts = ?, maybe_sent = ?,
        next_attempt_at = ?, service_transaction_id = coalesce(?, service_transaction_id),
        service_customer_id = coalesce(?, service_customer_id), service_card_id = coalesce(?, service_card_id),
        new_balances = coalesce(?, new_balances), completed_at = coalesce(?, completed_at)
      WHERE row_id = ?`),
    insertEvent: database.prepare(`
      INSERT INTO operation_events (row_id, version, from_state, to_state, at, send, cause, http_status, code, request_id,
        key_fingerprint)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    queued: database.prepare<[number, number, number], SendableRow>(
      `SELECT ${sendableColumns} FROM operations
       WHERE state = 'queued' AND (occurred_at, row_id) > (?, ?) ORDER BY occurred_at, row_id LIMIT ?`,
    ),
    dueUnknown: database.prepare<[number, number, number], SendableRow>(
      `SELECT ${sendableColumns} FROM operations
       WHERE state = 'unknown' AND (next_attempt_at <= ? OR next_attempt_at > ?)
       ORDER BY occurred_at, row_id LIMIT ?`,
    ),
    nextUnknown: database.prepare<[], { at: number | null }>(
      `SELECT min(next_attempt_at) AS at FROM operations WHERE state = 'unknown'`,
    ),
    sending: database.prepare<[number], SendableRow>(
      `SELECT ${sendableColumns} FROM operations WHERE state = 'sending' ORDER BY occurred_at, row_id LIMIT ?`,
    ),
    accepted: database.prepare<[number, number, number], AcceptedRow>(
      `SELECT ${acceptedColumns} FROM operations
       WHERE state = 'accepted' AND (occurred_at, row_id) > (?, ?) ORDER BY occurred_at, row_id LIMIT ?`,
    ),
    acceptedRow: database.prepare<[number], AcceptedRow>(
      `SELECT ${acceptedColumns} FROM operations WHERE state = 'accepted' AND row_id = ?`,
    ),
    // One index step for each waiting state.
    oldestWaiting: database.prepare<[], { at: number | null }>(`
      SELECT min(at) AS at FROM (
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'queued' ORDER BY occurred_at, row_id LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'sending' ORDER BY occurred_at, row_id LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'unknown' ORDER BY occurred_at, row_id LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'accepted' ORDER BY occurred_at, row_id LIMIT 1))`),
    byRowId: database.prepare<[number], OperationRow>(`${select} WHERE row_id = ?`),
    byOperationId: database.prepare<[string], OperationRow>(`${select} WHERE operation_id = ?`),
    byNaturalKey: database.prepare<[string, string], OperationRow>(`${select} WHERE external_ref = ? AND intent = ?`),
    byReference: database.prepare<[string], OperationRow>(`${select} WHERE external_ref = ? ORDER BY row_id`),
    byServiceTransactionId: database.prepare<[string], OperationRow>(
      `${select} WHERE service_transaction_id = ? LIMIT 1`,
    ),
    recent: database.prepare<[number, number], OperationRow>(`${select} WHERE row_id < ? ORDER BY row_id DESC LIMIT ?`),
    earnsOfCustomer: database.prepare<[string, number], OperationRow>(
      `${select} WHERE row_id > (SELECT max(row_id) FROM operations) - 2000
       AND identifier_value = ? AND saved_at >= ? AND intent = 'earn' ORDER BY row_id DESC LIMIT 50`,
    ),
    history: database.prepare<[number], HistoryRow>(
      `SELECT from_state, to_state, at, send, cause, http_status, code, request_id, key_fingerprint
       FROM operation_events WHERE row_id = ? ORDER BY version`,
    ),
  };
}
