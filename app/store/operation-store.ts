import type { Database } from 'better-sqlite3';
import { advance } from '../../shared/machines/machine.ts';
import { type OperationEvent, type OperationState, operationMachine } from '../../shared/machines/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { AcceptedOperation, OperationChange, SendableOperation, WaitingKey } from '../operations/delivery.ts';
import type { NewOperation } from '../operations/new-operation.ts';
import type { Operation, OperationHistoryEntry } from '../operations/operation.ts';
import { watchAfter } from '../operations/watch-schedule.ts';
import { StateCounts } from './counts.ts';
import { type HistoryRow, type OperationRow, toHistoryEntry, toOperation } from './rows.ts';
import { insertedColumns, sql } from './statements.ts';
import { WatchStore } from './watch-store.ts';

export interface SendableRow {
  readonly row_id: number;
  readonly intent: OperationIntent;
  readonly occurred_at: number;
  readonly identifier_kind: string | null;
  readonly identifier_value: string | null;
  readonly external_ref: string;
  readonly path: string;
  readonly body: string;
  readonly idempotency_key: string | null;
  readonly attempts: number;
  readonly maybe_sent: 0 | 1;
  readonly sends: number;
  readonly key_fingerprint: string | null;
}

interface AcceptedRow extends Pick<SendableRow, 'intent' | 'external_ref' | 'path'> {
  readonly row_id: number;
  readonly body: string | null;
  readonly occurred_at: number;
  readonly service_transaction_id: string;
  readonly sends: number;
  readonly attempts: number;
  readonly updated_at: number;
}

/** What a change has made of its row. */
export interface Changed {
  readonly state: OperationState;
  /** The original, when the row is a reversal of one of ours. */
  readonly reversesRowId: number | null;
}

/** A success that comes late is never ignored, whichever send it answers. */
const lateSuccesses: ReadonlySet<OperationEvent> = new Set(['accept', 'apply']);

/** The operations in SQLite. Methods that write run inside a transaction of the Writer and nowhere else. */
export class OperationStore {
  readonly counts: StateCounts;
  readonly watches: WatchStore;
  readonly #database: Database;
  readonly #statements;
  #lastRowId: number;
  /** The last row that was there when this run of the agent began. */
  readonly lastRowIdBefore: number;

  constructor(database: Database) {
    this.#database = database;
    this.counts = new StateCounts(database);
    this.watches = new WatchStore(database);
    this.#statements = prepareStatements(database);
    this.#lastRowId =
      database
        .prepare<[], { last: number }>(
          `SELECT max(coalesce((SELECT max(row_id) FROM operations), 0),
             (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_deleted_row_id')) AS last`,
        )
        .get()?.last ?? 0;
    this.lastRowIdBefore = this.#lastRowId;
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
      if (this.counts.inTransaction(from) === 0) continue;
      const marked = { ids, from, at: facts.atMs, key: facts.keyFingerprint };
      const { changes } = this.#statements.insertMarkEvents.run(marked);
      if (changes === 0) continue;
      this.#statements.mark.run(marked);
      this.counts.add(from, -changes);
      this.counts.add('sending', changes);
    }
  }

  /** @returns null when the machine, or a newer send, does not let it happen */
  change(change: OperationChange): Changed | null {
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
    if (change.event === 'miss') this.#statements.forgetRecord.run(change.rowId);
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
    const watch = watchAfter({
      intent: current.intent,
      from: current.state,
      event: change.event,
      wasMaybeSent: current.maybe_sent === 1,
      sends: current.sends,
      isOfEarlierRun: change.rowId <= this.lastRowIdBefore,
      code: change.error?.code ?? null,
      bodyVersion: current.body_version,
    });
    if (watch !== null) this.watches.begin(change.rowId, watch, change.atMs);
    return { state: next, reversesRowId: current.reverses_row_id };
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

  /** Rows that waited for this key to come back are looked at again at once. */
  releaseHeld(keyFingerprint: string): void {
    this.#statements.releaseHeld.run(keyFingerprint);
  }

  /** When the next unknown row is to be sent again; null when there is none. */
  nextUnknownAtMs(): number | null {
    return this.#statements.nextUnknown.get()?.at ?? null;
  }

  /** Rows that a crash left marked as being sent. */
  sending(): readonly SendableOperation[] {
    return this.#statements.sending.all().map((row) => ({ ...toSendable(row), send: row.sends }));
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

  /** The reversal that has this reference. */
  reversalByReference(reversalRef: string): Operation | null {
    return this.#one(this.#statements.byNaturalKey.get(reversalRef, 'reverse'));
  }

  /**
   * The row that an id of the service's stands for. A swapped answer may have given it to a second one, which is then
   * accepted and no more: the id is that of the other. Of two such neither is meant until a poll has told.
   */
  operationByServiceTransactionId(id: string): Operation | null {
    const operations = this.operationsByServiceTransactionId(id);
    const proven = operations.find(({ state }) => state !== 'accepted');
    return proven ?? (operations.length === 1 ? (operations[0] ?? null) : null);
  }

  /** A reservation's and an enrollment's id stand on all the writes about them. Oldest first. */
  operationsByServiceTransactionId(id: string): readonly Operation[] {
    return this.#statements.byServiceTransactionId.all(id).map(toOperation);
  }

  /** The service's id of what a reversal takes back, once it is proven; null before, and for a stranger's. */
  provenOriginalId(reversalRowId: number): string | null {
    return this.#statements.provenOriginalId.get(reversalRowId)?.id ?? null;
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

export function toSendable(row: SendableRow): SendableOperation {
  return {
    rowId: row.row_id,
    intent: row.intent,
    occurredAtMs: row.occurred_at,
    lane: row.identifier_value === null ? `row:${row.row_id}` : `${row.identifier_kind}:${row.identifier_value}`,
    path: row.path,
    body: row.body,
    idempotencyKey: row.idempotency_key,
    attempts: row.attempts,
    maybeSent: row.maybe_sent === 1,
    externalRef: row.external_ref,
    lastKeyFingerprint: row.key_fingerprint,
    send: row.sends + 1,
  };
}

function toAccepted(row: AcceptedRow): AcceptedOperation {
  return {
    rowId: row.row_id,
    intent: row.intent,
    externalRef: row.external_ref,
    path: row.path,
    body: row.body,
    occurredAtMs: row.occurred_at,
    serviceTransactionId: row.service_transaction_id,
    send: row.sends,
    attempts: row.attempts,
    updatedAtMs: row.updated_at,
  };
}

function prepareStatements(database: Database) {
  return {
    insert: database.prepare<[readonly NewOperation[keyof NewOperation][], number]>(sql.insert),
    insertFirstEvent: database.prepare<[number, OperationState, number]>(sql.insertFirstEvent),
    insertMarkEvents: database.prepare<[{ ids: string; from: OperationState; at: number; key: string }]>(
      sql.insertMarkEvents,
    ),
    mark: database.prepare<[{ ids: string; from: OperationState; at: number; key: string }]>(sql.mark),
    current: database.prepare<
      [number],
      {
        intent: OperationIntent;
        state: OperationState;
        version: number;
        sends: number;
        maybe_sent: 0 | 1;
        body_version: number;
        key_fingerprint: string | null;
        reverses_row_id: number | null;
      }
    >(sql.current),
    change: database.prepare(sql.change),
    forgetRecord: database.prepare<[number]>(sql.forgetRecord),
    insertEvent: database.prepare(sql.insertEvent),
    queued: database.prepare<[number, number, number], SendableRow>(sql.queued),
    dueUnknown: database.prepare<[number, number, number], SendableRow>(sql.dueUnknown),
    releaseHeld: database.prepare<[string]>(sql.releaseHeld),
    nextUnknown: database.prepare<[], { at: number | null }>(sql.nextUnknown),
    sending: database.prepare<[], SendableRow>(sql.sending),
    accepted: database.prepare<[number, number, number], AcceptedRow>(sql.accepted),
    acceptedRow: database.prepare<[number], AcceptedRow>(sql.acceptedRow),
    oldestWaiting: database.prepare<[], { at: number | null }>(sql.oldestWaiting),
    byRowId: database.prepare<[number], OperationRow>(sql.byRowId),
    byOperationId: database.prepare<[string], OperationRow>(sql.byOperationId),
    byNaturalKey: database.prepare<[string, string], OperationRow>(sql.byNaturalKey),
    byReference: database.prepare<[string], OperationRow>(sql.byReference),
    byServiceTransactionId: database.prepare<[string], OperationRow>(sql.byServiceTransactionId),
    provenOriginalId: database.prepare<[number], { id: string | null }>(sql.provenOriginalId),
    recent: database.prepare<[number, number], OperationRow>(sql.recent),
    earnsOfCustomer: database.prepare<[string, number], OperationRow>(sql.earnsOfCustomer),
    history: database.prepare<[number], HistoryRow>(sql.history),
  };
}
