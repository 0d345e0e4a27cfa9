import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { ChangedInstant, SendableOperation } from '../rows/delivery.ts';
import { beginsRequest, betweenNotes, replacedReason } from '../rows/request-lines.ts';
import { toOperation, toOperationOrNull } from '../rows/rows.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import type { Operation } from '../schema/operation.ts';
import type { Decision } from '../schema/operation-values.ts';
import { attentionStatements, rowStatements } from '../statements/rows.ts';
import type { DayStore } from './day-store.ts';
import type { OperationStore } from './operation-store.ts';

interface OfThisRun {
  /** Whether monotonic time has run on from there: it starts again with each start of the agent. */
  readonly isOfThisRun: boolean;
}

/** A row's times, as they were when it was saved. */
export type StoredClock = RowOf<typeof rowStatements.clockAtSave> & OfThisRun;

/** What a row has kept of the request that it was saved or replaced with. The body is null once it was erased. */
export type KeptRequest = RowOf<typeof rowStatements.keptRequest> &
  OfThisRun & {
    /** The same request before a person corrected it, as it was sent. None where another request has taken its place. */
    readonly bodiesBefore: readonly string[];
  };

/** The frozen request, the values and the time of a row whose body a person has corrected. */
type CorrectedBody = Pick<
  NewOperation,
  | 'body'
  | 'cardId'
  | 'amountMinor'
  | 'currency'
  | 'points'
  | 'stamps'
  | 'visits'
  | 'occurredAtMs'
  | 'businessDate'
  | 'clockSkewMs'
>;

export const noneUnknown = { changed: 0, checking: 0 };

/**
 * What is asked of single rows: writes for which somebody waits, reversals, and people's decisions. Methods that write
 * run inside a transaction of the Writer and nowhere else.
 */
export class RowStore {
  readonly #operations: OperationStore;
  readonly #days: DayStore;
  readonly #statements;
  readonly #attention;

  constructor(
    database: Database,
    { operations, days }: { readonly operations: OperationStore; readonly days: DayStore },
  ) {
    this.#operations = operations;
    this.#days = days;
    this.#statements = prepareAll(database, rowStatements);
    this.#attention = prepareAll(database, attentionStatements);
  }

  /** The row as it was sent last; null once its request was erased after the retention time. */
  sent(rowId: number): SendableOperation | null {
    return this.#statements.sent.get({ rowId });
  }

  setAnswer(rowId: number, answer: unknown): void {
    this.#statements.setAnswer.run({ rowId, answer: JSON.stringify(answer) });
  }

  /** A new version of the body: only after a proven refusal or a proven absence. */
  correct(rowId: number, { businessDate, ...body }: CorrectedBody): void {
    this.#statements.correct.run({ ...body, rowId });
    this.#days.move(rowId, businessDate);
    this.#operations.seals.sealAgain(rowId);
  }

  /** What the row keeps of its request; null when there is no such row. */
  keptRequest(rowId: number): KeptRequest | null {
    const row = this.#statements.keptRequest.get({ rowId });
    if (row === null) return null;
    return { ...row, isOfThisRun: this.#isOfThisRun(rowId, row), bodiesBefore: this.#bodiesBefore(rowId) };
  }

  /**
   * Another request in the place of one that is proven never recorded, under the same reference. The row keeps its
   * number, its operation_id and its history; nothing else of the first request is left: what was to take that one back says
   * nothing of the new one. The latest change of the row, which has freed it, says so.
   */
  replaceRequest(rowId: number, row: NewOperation): void {
    this.#statements.replaceRequest.run({ ...row, rowId });
    this.#statements.unlinkDropped.run({ rowId });
    this.#days.replace(rowId, row.businessDate);
    this.#operations.seals.sealAgain(rowId);
    this.annotate(rowId, { reason: replacedReason, person: null });
  }

  /** A reversal that was passed on turns out to take back an operation of ours. */
  linkReversal(rowId: number, originalRowId: number): void {
    this.#statements.linkReversal.run({ rowId, reversesRowId: originalRowId });
  }

  /** What the row kept of the till's clock. */
  clockAtSave(rowId: number): StoredClock | null {
    const row = this.#statements.clockAtSave.get({ rowId });
    return row === null ? null : { ...row, isOfThisRun: this.#isOfThisRun(rowId, row) };
  }

  /** Before the first send. The till's own time stays in its column. */
  correctInstant(rowId: number, { skewMs, businessDate, ...corrected }: ChangedInstant): void {
    this.#statements.correctInstant.run({ ...corrected, rowId, clockSkewMs: skewMs });
    this.#days.move(rowId, businessDate);
    this.#operations.seals.sealAgain(rowId);
  }

  /** The same as a new version of the body: only after a proven refusal. */
  changeInstant(rowId: number, { skewMs, businessDate, ...corrected }: ChangedInstant): void {
    this.#statements.changeInstant.run({ ...corrected, rowId, clockSkewMs: skewMs });
    this.#days.move(rowId, businessDate);
    this.#operations.seals.sealAgain(rowId);
  }

  /** The same with a time that a person has said, which is never made anew. */
  giveInstant(rowId: number, { businessDate, ...said }: Omit<ChangedInstant, 'skewMs'>): void {
    this.#statements.giveInstant.run({ ...said, rowId });
    this.#days.move(rowId, businessDate);
    this.#operations.seals.sealAgain(rowId);
  }

  decide(rowId: number, decision: Decision, atMs: number): void {
    this.#statements.decide.run({ rowId, decision, decidedAtMs: atMs });
  }

  /**
   * Immediate writes whose outcome is not known, due for a look, oldest first. Those that seem to wait longer than
   * `longestWaitMs` are among them: the wall clock was set back meanwhile.
   */
  lookUpsDue(nowMs: number, longestWaitMs: number, limit: number): readonly Operation[] {
    return this.#statements.lookUpsDue.all({ nowMs, latestMs: nowMs + longestWaitMs, limit }).map(toOperation);
  }

  /** When the next of them is due; null when there is none. */
  nextLookUpAtMs(): number | null {
    return this.#statements.nextLookUp.get()?.atMs ?? null;
  }

  /** Writes of the same bytes to the same path whose outcome is not known. */
  unknownCopiesOf(rowId: number): readonly Operation[] {
    return this.#statements.unknownCopiesOf.all({ rowId }).map(toOperation);
  }

  /** Releases to this path that were asked for before a row, and whose outcome is not known. */
  unknownReleasesBefore(rowId: number, path: string): readonly Operation[] {
    return this.#statements.unknownReleasesBefore.all({ rowId, path }).map(toOperation);
  }

  /**
   * The enrollments that were asked for under a caller's reference, newest first: each time is a row of its own, with a
   * number sign and its operation_id behind the reference. None that came to nothing.
   */
  enrollmentsUnder(reference: string): readonly Operation[] {
    return this.#statements.enrollmentsUnder.all({ reference }).map(toOperation);
  }

  /** Whether a cart was asked to be held before, with the same bytes, and may be. */
  isReservedUnder(reference: string, { body }: Pick<NewOperation, 'body'>): boolean {
    return this.#statements.reservedUnder.get({ reference, body }) !== null;
  }

  /** Immediate writes of the same bytes to the same path that are being sent. */
  sendingLike({ intent, path, body }: Pick<NewOperation, 'intent' | 'path' | 'body'>): readonly number[] {
    return this.#statements.sendingLike.all({ intent, path, body }).map(({ rowId }) => rowId);
  }

  /** One of the same bytes to the same path whose outcome is not known. */
  unknownLike({ intent, path, body }: Pick<NewOperation, 'intent' | 'path' | 'body'>): Operation | null {
    return toOperationOrNull(this.#statements.unknownLike.get({ intent, path, body }));
  }

  /**
   * Reversals of what this agent never carried, under references that were made for them: those of this transaction of
   * the service first, then those whose outcome is not known and that may be of it.
   *
   * @param paths of a reversal by that id, and of one by reference
   */
  passedOnReversals(
    serviceTransactionId: string,
    paths: { readonly byId: string; readonly byReference: string },
  ): readonly Operation[] {
    const { byId: path, byReference: byReferencePath } = paths;
    return this.#statements.passedOnReversals.all({ serviceTransactionId, path, byReferencePath }).map(toOperation);
  }

  postpone(rowId: number, untilMs: number): void {
    this.#statements.postpone.run({ rowId, nextAttemptAtMs: untilMs });
  }

  /** The reversal of a row that is under way or done; none that came to nothing. */
  reversalOf(rowId: number): Operation | null {
    return toOperationOrNull(this.#statements.reversalOf.get({ rowId }));
  }

  /** How many reversals of it the service has recorded as failed. */
  failedReversalCount(rowId: number): number {
    return this.#statements.failedReversalCount.get({ rowId })?.count ?? 0;
  }

  replacementOf(rowId: number): Operation | null {
    return toOperationOrNull(this.#statements.replacementOf.get({ rowId }));
  }

  /** Everything that a row was saved with, for a new one like it. */
  rowToCopy(rowId: number): NewOperation | null {
    return this.#statements.rowToCopy.get({ rowId });
  }

  /** Rows that wait for a person, and those whose outcome is not known since `unknownSinceMs`; oldest first. */
  needingAttention(page: {
    readonly afterRowId: number;
    readonly limit: number;
    readonly unknownSinceMs: number;
  }): readonly Operation[] {
    return Object.values(this.#attention)
      .flatMap((statement) => statement.all(page))
      .toSorted((one, other) => one.rowId - other.rowId)
      .slice(0, page.limit)
      .map(toOperation);
  }

  /**
   * Of the unknown ones: how many were found changed on the disk, and wait for a person; and how many somebody waited for,
   * which are looked up and not sent as a sale is.
   */
  unknownCounts(): { readonly changed: number; readonly checking: number } {
    return this.#statements.unknownCounts.get() ?? noneUnknown;
  }

  /** Says of the row's latest change who decided it and why; after what was said of it before. */
  annotate(rowId: number, note: { readonly reason: string; readonly person: string | null }): void {
    this.#statements.writeOutLatest.run({ rowId });
    this.#statements.annotate.run({ rowId, ...note, between: betweenNotes });
  }

  #bodiesBefore(rowId: number): readonly string[] {
    const [, ...earlier] = this.#operations.watches.versions(rowId);
    const wasReplaced = earlier.length > 0 && this.#operations.history(rowId).some(beginsRequest);
    return wasReplaced ? [] : earlier.map(({ body }) => body);
  }

  /** A row that stands in another's place has the times of that one. */
  #isOfThisRun(rowId: number, { replacesRowId }: Pick<NewOperation, 'replacesRowId'>): boolean {
    if (rowId <= this.#operations.lastRowIdBefore) return false;
    return replacesRowId === null || (this.clockAtSave(replacesRowId)?.isOfThisRun ?? false);
  }
}
