import type { Database } from 'better-sqlite3';
import { advance } from '../../../shared/machines/machine.ts';
import {
  isOver,
  type OperationEvent,
  type OperationState,
  operationMachine,
  waitingStates,
} from '../../../shared/machines/operation.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { AcceptedOperation, OperationChange, SendableOperation, WaitingKey } from '../rows/delivery.ts';
import { toOperation, toOperationOrNull } from '../rows/rows.ts';
import { type NewOperation, seldomNames } from '../schema/new-operation.ts';
import type { Operation, OperationHistoryEntry, OperationValues } from '../schema/operation.ts';
import { hasLeftTill, watchAfter } from '../schema/watch-schedule.ts';
import { dayStatements } from '../statements/days.ts';
import { operationStatements } from '../statements/operations.ts';
import { oldestStatements, oldestUnsentStatements, queueStatements } from '../statements/queue.ts';
import { StateCounts } from './counts.ts';
import { SealStore, sealKindOf } from './seal-store.ts';
import { WatchStore } from './watch-store.ts';

/** What a change has made of its row. */
interface Changed {
  readonly state: OperationState;
  /** The original, when the row is a reversal of one of ours. */
  readonly reversesRowId: number | null;
}

/** A success that comes late is never ignored, whichever send it answers. */
const lateSuccesses: ReadonlySet<OperationEvent> = new Set(['accept', 'apply']);

/**
 * The step of a normal life that a change is, for which the row itself keeps what its line of history tells: the first
 * answer to the first send, or what a poll found after it. Null for all others: they get a line of their own.
 */
function normalStep(
  { state, version, sends }: Pick<RowOf<typeof operationStatements.current>, 'state' | 'version' | 'sends'>,
  { event, cause, error, send }: OperationChange,
): 'answered' | 'polled' | null {
  if (send !== 1 || sends !== 1 || cause !== null || error !== null) return null;
  if (version === 2 && state === 'sending' && (event === 'accept' || event === 'apply')) return 'answered';
  return version === 3 && state === 'accepted' && event === 'apply' ? 'polled' : null;
}

/** Whether it may be the first answer to the first send, and leaves everything else of the row as it was saved. */
function isFirstSuccess({ event, send, cause, error, attempts, maybeSent, nextAttemptAtMs }: OperationChange): boolean {
  const isSuccess = event === 'accept' || event === 'apply';
  const isPlain = cause === null && error === null && attempts === 0 && nextAttemptAtMs === 0 && !maybeSent;
  return isSuccess && isPlain && send === 1;
}

/** The operations in SQLite. Methods that write run inside a transaction of the Writer and nowhere else. */
export class OperationStore {
  readonly counts: StateCounts;
  readonly watches: WatchStore;
  readonly seals: SealStore;
  readonly #database: Database;
  readonly #statements;
  readonly #oldest;
  readonly #oldestUnsent;
  #lastRowId: number;
  /** The last row that was there when this run of the agent began. */
  readonly lastRowIdBefore: number;

  /** @param sealKey see SealStore */
  constructor(database: Database, sealKey: Uint8Array | null = null) {
    this.#database = database;
    this.counts = new StateCounts(database);
    this.watches = new WatchStore(database);
    this.seals = new SealStore(database, sealKey);
    const { noteLate } = dayStatements;
    this.#statements = prepareAll(database, { ...operationStatements, ...queueStatements, noteLate });
    this.#oldest = prepareAll(database, oldestStatements);
    this.#oldestUnsent = prepareAll(database, oldestUnsentStatements);
    this.#lastRowId = this.#statements.lastRowId.get()?.rowId ?? 0;
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
    const isUsual = seldomNames.every((name) => row[name] === null);
    const { insert, insertUsual } = this.#statements;
    if ((isUsual ? insertUsual : insert).run({ ...row, seal: this.seals.ofNew(row) }) === 0) {
      const existing = this.existing(row);
      if (existing === null) throw new Error(`Row ${row.rowId} conflicts with no row that can be found`);
      return existing;
    }
    this.counts.saved(row.rowId, row.state);
    return null;
  }

  /** The row that has this operation_id, or else this reference and intent. */
  existing({
    operationId,
    externalRef,
    intent,
  }: Pick<NewOperation, 'operationId' | 'externalRef' | 'intent'>): Operation | null {
    return (
      this.operationById(operationId) ?? toOperationOrNull(this.#statements.byNaturalKey.get({ externalRef, intent }))
    );
  }

  /** Marks rows as being sent: queued and unknown ones, whichever still are. Mostly one statement for a whole window. */
  mark(rowIds: readonly number[], facts: { readonly atMs: number; readonly keyFingerprint: string }): void {
    const ids = JSON.stringify(rowIds);
    const first = Math.min(...rowIds);
    let left = rowIds.length;
    const count = (from: OperationState, marked: number) => {
      this.counts.moved({ first, count: marked }, { from, to: 'sending' });
      left -= marked;
    };
    if (left > 0) count('queued', this.#statements.markFirst.run({ ids, ...facts }));
    for (const from of ['queued', 'unknown'] as const) {
      if (left === 0) return;
      const marked = { ids, from, ...facts };
      const changes = this.#statements.insertMarkEvents.run(marked);
      if (changes > 0) this.#statements.mark.run(marked);
      count(from, changes);
    }
  }

  /** @returns null when the machine, or a newer send, does not let it happen */
  change(change: OperationChange): Changed | null {
    return this.#answerFirst(change) ?? this.#change(change);
  }

  /** The first answer to the first send, when it is a success. @returns null when the change is something else */
  #answerFirst(change: OperationChange): Changed | null {
    if (!isFirstSuccess(change)) return null;
    const state = advance(operationMachine, 'sending', change.event);
    if (state === null) return null;
    if (this.#statements.answeredFirst.run({ ...change, state, updatedAtMs: change.atMs }) === 0) return null;
    this.counts.moved({ first: change.rowId, count: 1 }, { from: 'sending', to: state });
    return { state, reversesRowId: null };
  }

  #change(change: OperationChange): Changed | null {
    const current = this.#statements.current.get({ rowId: change.rowId });
    if (current === null) return null;
    const send = change.send ?? current.sends;
    if (send < current.sends && !lateSuccesses.has(change.event)) return null;
    const next = advance(operationMachine, current.state, change.event);
    if (next === null) return null;
    const version = current.version + 1;
    const changed = { ...change, state: next, version, updatedAtMs: change.atMs };
    const step = normalStep(current, change);
    if (step !== null) this.#statements[step].run(changed);
    else {
      this.#statements.change.run(changed);
      if (change.event === 'miss') this.#statements.forgetRecord.run({ rowId: change.rowId });
      this.#statements.insertEvent.run({
        rowId: change.rowId,
        version,
        fromState: current.state,
        toState: next,
        atMs: change.atMs,
        send,
        cause: change.cause,
        httpStatus: change.httpStatus,
        code: change.error?.code ?? null,
        requestId: change.requestId,
        keyFingerprint: current.keyFingerprint,
      });
    }
    this.counts.moved({ first: change.rowId, count: 1 }, { from: current.state, to: next });
    // A closing of a day carries none of these over: what comes of one later is told beside the closing.
    if (isOver(current.state)) this.#statements.noteLate.run({ rowId: change.rowId });
    const [from, to] = [sealKindOf(current.state), sealKindOf(next)];
    if (from !== to) this.seals.moved(change.rowId, { from, to });
    const watch = watchAfter({
      intent: current.intent,
      from: current.state,
      event: change.event,
      wasMaybeSent: current.maybeSent,
      hasLeft: change.event === 'cancel' && hasLeftTill(this.history(change.rowId)),
      isOfEarlierRun: change.rowId <= this.lastRowIdBefore,
      code: change.error?.code ?? null,
      bodyVersion: current.bodyVersion,
    });
    if (watch !== null) this.watches.begin(change.rowId, watch, change.atMs);
    return { state: next, reversesRowId: current.reversesRowId };
  }

  /** Whether any row is queued: asked of the rows, whatever the counts say. */
  hasQueued(): boolean {
    return this.#oldest.queued.get() !== null;
  }

  /** The oldest queued rows, page by page; those already marked are no longer queued. */
  queued(after: WaitingKey | null, limit: number): readonly SendableOperation[] {
    return this.#statements.queued.all({ ...behind(after), limit });
  }

  /**
   * The oldest queued rows whose lane is none of `lanes`, among the next `among` rows. Of skipped rows only the lane is
   * read.
   */
  queuedOfOthers(
    after: WaitingKey | null,
    { lanes, among, limit }: { readonly lanes: readonly string[]; readonly among: number; readonly limit: number },
  ): readonly SendableOperation[] {
    const begin = behind(after);
    const last = this.#statements.queuedFarther.get({ ...begin, rows: among - 1 }) ?? behindAll;
    const end = { lastOccurredAtMs: last.occurredAtMs, lastRowId: last.rowId };
    return this.#statements.queuedOfOthers.all({ ...begin, ...end, lanes: JSON.stringify(lanes), limit });
  }

  /**
   * Unknown rows whose time to be sent again has come, oldest first. Those that seem to wait longer than `longestWaitMs`
   * are among them: the wall clock was set back meanwhile.
   */
  dueUnknown(nowMs: number, longestWaitMs: number, limit: number): readonly SendableOperation[] {
    return this.#statements.dueUnknown.all({ nowMs, latestMs: nowMs + longestWaitMs, limit });
  }

  /** Rows that waited for this key to come back are looked at again at once. */
  releaseWithheld(keyFingerprint: string): void {
    this.#statements.releaseWithheld.run({ keyFingerprint });
  }

  /** When the next unknown row is to be sent again; null when there is none. */
  nextUnknownAtMs(): number | null {
    return this.#statements.nextUnknown.get()?.atMs ?? null;
  }

  /** Rows that a crash left marked as being sent. */
  sending(): readonly SendableOperation[] {
    return this.#statements.sending.all();
  }

  accepted(after: WaitingKey | null, limit: number): readonly AcceptedOperation[] {
    return this.#statements.accepted.all({ ...behind(after), limit });
  }

  acceptedRow(rowId: number): AcceptedOperation | null {
    return this.#statements.acceptedRow.get({ rowId });
  }

  /** When the oldest operation that still waits took place; null when none waits. */
  oldestWaitingAtMs(): number | null {
    return this.#earliestOf(this.#oldest);
  }

  /** When the oldest sale that the service may not have yet took place; null when there is none. */
  oldestUnsentAtMs(): number | null {
    return this.#earliestOf(this.#oldestUnsent);
  }

  /** States that have no rows are not looked through: at most times all but one. */
  #earliestOf(oldest: OldestByState): number | null {
    const counts = this.counts.read();
    const found = waitingStates.flatMap((state) => (counts[state] === 0 ? [] : (oldest[state]?.all() ?? [])));
    return found.length === 0 ? null : Math.min(...found.map(({ occurredAtMs }) => occurredAtMs));
  }

  operation(rowId: number): Operation | null {
    return toOperationOrNull(this.#statements.byRowId.get({ rowId }));
  }

  operationById(operationId: string): Operation | null {
    return toOperationOrNull(this.#statements.byOperationId.get({ operationId }));
  }

  /** The reversal that has this reference. */
  reversalByReference(reversalRef: string): Operation | null {
    return toOperationOrNull(this.#statements.byNaturalKey.get({ externalRef: reversalRef, intent: 'reverse' }));
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
    return this.#statements.byServiceTransactionId.all({ serviceTransactionId: id }).map(toOperation);
  }

  /** The service's id of what a reversal takes back, once it is proven; null before, and for a stranger's. */
  provenOriginalId(reversalRowId: number): string | null {
    return this.#statements.provenOriginalId.get({ rowId: reversalRowId })?.serviceTransactionId ?? null;
  }

  /** Whether any operation has it: a look at the index alone. */
  hasReference(externalRef: string): boolean {
    return this.#statements.withReference.get({ externalRef }) !== null;
  }

  operationsByReference(externalRef: string): readonly Operation[] {
    return this.#statements.byReference.all({ externalRef }).map(toOperation);
  }

  /** Newest first. */
  recent(limit: number, beforeRowId: number): readonly Operation[] {
    return this.#statements.recent.all({ beforeRowId, limit }).map(toOperation);
  }

  /**
   * Earns of these values saved since an instant, newest first, among the 2,000 operations saved last. An index would cost
   * every sale a page of the log, for a look that only a till takes. A request that took the row of an earlier one has its
   * own age, but the place of that row: 2,000 later operations hide it.
   */
  earnsOfValues(values: OperationValues, sinceMs: number): readonly Operation[] {
    return this.#statements.earnsOfValues.all({ ...values, sinceMs }).map(toOperation);
  }

  /**
   * The redemptions that must not be repeated unasked, in no order: those saved since an instant, among the 2,000
   * operations saved last, and all whose outcome is unknown. One may be told twice.
   */
  redemptionsToMind(sinceMs: number): readonly Operation[] {
    const { redemptionsSince, unknownRedemptions } = this.#statements;
    return [...redemptionsSince.all({ sinceMs }), ...unknownRedemptions.all()].map(toOperation);
  }

  /**
   * What was saved last, among 20,000 operations, and is known to stand in the service's books under a key; null when there
   * is none. Another key may be another source, and see other books.
   *
   * @param known.settledBeforeMs what became known later may not be in the service's lists yet
   */
  newestInBooks(known: {
    readonly exceptReference: string;
    readonly keyFingerprint: string;
    readonly settledBeforeMs: number;
  }): RowOf<typeof operationStatements.newestInBooks> | null {
    return this.#statements.newestInBooks.get(known);
  }

  history(rowId: number): readonly OperationHistoryEntry[] {
    return this.#statements.history.all({ rowId });
  }
}

/** Gives the oldest row of a state. */
type OldestByState = Partial<
  Readonly<Record<(typeof waitingStates)[number], { readonly all: () => readonly Pick<WaitingKey, 'occurredAtMs'>[] }>>
>;

const behindAll: WaitingKey = { occurredAtMs: Number.MAX_SAFE_INTEGER, rowId: 0 };

function behind(after: WaitingKey | null): WaitingKey {
  return after ?? { occurredAtMs: Number.MIN_SAFE_INTEGER, rowId: 0 };
}
