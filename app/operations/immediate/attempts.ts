import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import { errorFacts } from '../../../shared/contract/errors.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { intentInBooks, isInTheBooks } from '../../../shared/machines/operation-intents.ts';
import { type CallOutcome, type Refused, unknownOutcome } from '../../client/outcome.ts';
import type { WriteAnswer } from '../../line/call-of-path.ts';
import { isLimitedLookUp } from '../../line/causes.ts';
import type { OperationChange, SendableOperation } from '../../store/rows/delivery.ts';
import type { Operation } from '../../store/schema/operation.ts';
import { isConflict, nothingSure } from '../ownership/anothers-record.ts';
import { ownAmong } from '../ownership/own-record.ts';
import { withOwnWait } from '../settlement/even-clock.ts';
import {
  needsSecondAnswer,
  type SentRow,
  settleChanged,
  settleRefused,
  settleReversedBefore,
} from '../settlement/settlement.ts';
import { notSent, standingOutcome } from './desk-answers.ts';
import type { DeskOptions } from './desk-options.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';
import { lateArrivalMs, settleDone, settleUnknownAtDesk } from './immediate-settlement.ts';
import { settleImmediate, type Told } from './settle-immediate.ts';
import { Unwritten } from './unwritten.ts';
import { isWithheldAsChanged } from './withheld-as-changed.ts';

/**
 * What the service's books show of a row:
 *
 * - `known`: its outcome, which is on the disk now.
 * - `absent`: no record of it, or only the failure that was known before.
 * - `undecided`: a record that may be the row's, and whose end the service does not tell yet.
 * - `refused`: nothing, because the service refused the look-up.
 * - `limited`: nothing, because the service takes no look-up now.
 * - `unread`: nothing sure. The books could not be read, nobody knows whose the record is, or its outcome could not be written.
 */
type InBooks = 'known' | 'absent' | 'undecided' | 'refused' | 'limited' | 'unread';

/** How a row is looked up. */
export interface Reading {
  /** False: nobody waits, so that a slow answer about the customer is waited for. */
  readonly isWaitedFor: boolean;
  /** A person has released the row as it is; else a row that was changed on the disk is not looked up. */
  readonly isReleased?: boolean;
  /**
   * A row that the books do not show is cancelled, or done under another reference. So it counts as absent only where
   * look-ups also show a record that the books are known to hold, if this till knows one.
   */
  readonly isFinal?: boolean;
}

/**
 * Single attempts at a row for which somebody waits. An attempt sends the row or looks it up, once, and writes what it
 * learned to the disk. A row has one attempt at a time.
 */
export class Attempts {
  readonly #options: DeskOptions;
  /** By row: how many milliseconds the service asked to wait with its last answer (Retry-After). */
  readonly #askedToWait = new Map<number, number>();
  /** By row whose outcome is not known: when its last send ended, by monotonic time. */
  readonly #lastSends = new Map<number, number>();
  readonly #unwritten: Unwritten;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#unwritten = new Unwritten(options.clock);
  }

  async lookUp(rowId: number, { isWaitedFor, isReleased = false, isFinal = false }: Reading): Promise<InBooks> {
    const { operations, rows, line, ownership, keyFingerprint, clock } = this.#options;
    const row = rows.sent(rowId);
    if (row === null) return 'unread';
    if (!isReleased && !operations.seals.isSealIntact(row)) {
      // `send` does not send a changed row: it withholds the row until a person decides.
      if (this.operation(rowId).state === 'unknown') await this.send(rowId);
      return 'unread';
    }
    const intent = intentInBooks[row.intent] ?? undefined;
    const settledBeforeMs = clock.now() - lateArrivalMs;
    const known = isFinal
      ? operations.newestInBooks({ exceptReference: row.externalRef, keyFingerprint, settledBeforeMs })
      : null;
    const outcome = await line.judged.lookUp(row.externalRef, intent, known);
    if (outcome.kind === 'refused') return 'refused';
    if (outcome.kind === 'unknown') return isLimitedLookUp(outcome) ? 'limited' : 'unread';
    const isFailed = this.operation(rowId).state === 'failed';
    const records = outcome.answer.data.filter(
      (one) => one.intent === intent && !(isFailed && one.status === 'failed'),
    );
    const own = await ownAmong(records, (record) =>
      ownership.ofRecord(row, record, { nowMs: line.serviceNowMs(), isWaitedFor }),
    );
    switch (own.kind) {
      case 'own': {
        const change = settleDone(row, { ...outcome, answer: own.record }, clock.now());
        const isSurelyOwn = ownership.isSurelyOwn(row, own.record);
        // Whoever waits for the look is told at once what it found.
        const told = { isCallerTold: isWaitedFor, isSurelyOwn };
        return (await this.#record(row, change, own.record, told)) ? 'known' : 'unread';
      }
      case 'absent':
      // The record is another till's under the same reference: the service holds nothing of this row.
      case 'anothers':
        return 'absent';
      case 'undecided':
      case 'standing':
        return 'undecided';
      case 'unknown':
        return 'unread';
      default:
        return assertNever(own);
    }
  }

  /** @returns null when the outcome is not known */
  async send(rowId: number): Promise<ImmediateOutcome | null> {
    const { operations, rows, writer, clock, keyFingerprint } = this.#options;
    if (isWithheldAsChanged(this.#options, this.operation(rowId))) return this.standing(rowId);
    if (this.operation(rowId).state !== 'sending') {
      await writer.urgent(() => operations.mark([rowId], { atMs: clock.now(), keyFingerprint }));
    }
    const row = rows.sent(rowId);
    if (row === null || this.operation(rowId).state !== 'sending') return this.standing(rowId);
    if (!operations.seals.isSealIntact(row)) return this.#withhold(row);
    return this.#settle(row, await this.#answered(row), null);
  }

  async #answered(row: SendableOperation): Promise<CallOutcome<WriteAnswer>> {
    const { line, ownership, clock } = this.#options;
    const maySend = await ownership.maySend(row);
    if (maySend !== true) return maySend === false ? ofAnotherKey : maySend;
    const outcome = await line.judged.send(row).finally(() => this.#lastSends.set(row.rowId, clock.monotonicMs()));
    return ownership.believed(row, outcome, line.serviceNowMs());
  }

  /** @param refusedWith the code of the refusal before this answer, which could not be looked up; null: there was none */
  async #settle(
    row: SendableOperation,
    outcome: CallOutcome<WriteAnswer>,
    refusedWith: string | null,
  ): Promise<ImmediateOutcome | null> {
    const { clock } = this.#options;
    const { rowId } = row;
    switch (outcome.kind) {
      case 'done': {
        const change = settleDone(row, outcome, clock.now());
        // If an answer that says failed or reversed is wrong, the customer pays twice: the books are read first.
        const shown = needsSecondAnswer(change) ? await this.#inBooks(row) : 'absent';
        if (isUnsure(shown)) return this.#lose(row, `the status of ${change.event}`);
        if (shown !== 'known') await this.#record(row, change, outcome.answer, toldAtOnce);
        const told = this.standing(rowId);
        // Only the answer said that this was a repeat: the books do not tell that.
        const isReplay = shown === 'known' && fieldOf(outcome.answer, 'duplicate') === true;
        return told.kind === 'done' && isReplay ? { ...told, duplicate: true } : told;
      }
      case 'refused':
        return this.#settleRefused(row, outcome, refusedWith);
      case 'unknown': {
        const change = settleUnknownAtDesk(row, outcome, clock.now());
        // This answer does not name its request and may have been meant for another call, so the books are read first.
        const shown = change.event === 'not_sent' && outcome.facts !== null ? await this.#inBooks(row) : 'absent';
        if (shown === 'known') return this.standing(rowId);
        if (shown === 'undecided') return this.#lose(row, `the cause ${outcome.cause}`);
        await this.#record(row, change, null, toldAtOnce);
        const { message, retryAfterMs } = outcome;
        // A row goes out again if a person handed a reversal to the sender meanwhile, or somebody chose to give it.
        const goesOutAgain = ['queued', 'unknown'].includes(this.operation(rowId).state);
        if (change.event === 'not_sent' && !goesOutAgain) return { ...notSent(outcome.cause), message, retryAfterMs };
        if (retryAfterMs !== null) this.#askedToWait.set(rowId, retryAfterMs);
        return null;
      }
      default:
        return assertNever(outcome);
    }
  }

  /**
   * Settles a refusal once it is proven. A refusal does not say which request it answers, and the service may have recorded
   * an earlier attempt, so the books are read first.
   */
  async #settleRefused(
    row: SendableOperation,
    refused: Refused,
    refusedWith: string | null,
  ): Promise<ImmediateOutcome | null> {
    const { clock, ownership } = this.#options;
    const { error, body, facts } = refused;
    const { code } = error;
    const shown = await this.#inBooks(row);
    if (shown === 'known') return this.standing(row.rowId);
    // Look-ups are limited, but writes are taken. The same bytes sent again do nothing new, and the second answer shows
    // whether the refusal was for this row. For a reversal the books of its original show that.
    const canAskAgain = shown === 'limited' && row.intent !== 'reverse';
    if (canAskAgain && refusedWith === null) {
      const sent = { ...row, maybeSent: true };
      return this.#settle(sent, await this.#answered(sent), code);
    }
    const isSaidTwice = canAskAgain && refusedWith === code;
    // A first attempt that was refused as reversed already goes out again until its original's books tell.
    const isFirstReversal = shown !== 'undecided' && !row.maybeSent && code === 'ALREADY_REVERSED';
    const isDoubtful = isUnsure(shown) && !isSaidTwice && !isFirstReversal;
    if (isDoubtful && !isConflict(row, code)) return this.#lose(row, `the refusal ${code}`);
    const original = await ownership.originalOfRefused(row, refused);
    const nowMs = clock.now();
    const change =
      original === null
        ? settleRefused(row, refused, nowMs)
        : settleReversedBefore({ ...row, attempts: 0 }, refused, { nowMs, original });
    await this.#record(row, change, null, toldAtOnce);
    // A 2xx answer shows that the service did another till's request: for ours that is a conflict.
    const httpStatus = facts.httpStatus < 300 ? errorFacts.DUPLICATE_TRANSACTION.status : facts.httpStatus;
    return { kind: 'refused', operation: this.operation(row.rowId), refusal: { error, body, httpStatus } };
  }

  /** What the books show of a row that was answered; `absent` for an intent that they never show. */
  async #inBooks({ rowId, intent }: SendableOperation): Promise<InBooks> {
    return isInTheBooks(intent) ? this.lookUp(rowId, { isWaitedFor: true }) : 'absent';
  }

  async #withhold(row: SendableOperation): Promise<ImmediateOutcome> {
    this.#options.audit.note({ event: 'operation_changed', operation_id: this.operation(row.rowId).operationId });
    await this.#record(row, settleChanged(row, this.#options.clock.now()), null, toldAtOnce);
    return this.standing(row.rowId);
  }

  async #lose(row: SendableOperation, answer: string): Promise<null> {
    const change = settleUnknownAtDesk(row, nothingSure(answer), this.#options.clock.now());
    await this.#record(row, change, null, toldAtOnce);
    return null;
  }

  /** @returns whether the change is on the disk. If not, nobody is told of it yet, and it is written when the disk allows */
  async #record(
    row: SentRow,
    learned: OperationChange,
    answer: unknown,
    facts: Omit<Told, 'answer'>,
  ): Promise<boolean> {
    const told = { answer, ...facts };
    const change = withOwnWait(learned, this.#options);
    try {
      await this.#write(row, change, told);
      return true;
    } catch (error) {
      this.#options.onWriteFailed(error);
      this.#unwritten.later(row.rowId, () => this.#write(row, change, told));
      return false;
    }
  }

  async #write(row: SentRow, change: OperationChange, told: Told): Promise<void> {
    const { writer, onChanged } = this.#options;
    onChanged(await writer.urgent(() => settleImmediate(this.#options, row.rowId, change, told)));
    if (change.event !== 'lose') this.isOver(row.rowId);
  }

  /** How long ago the row's last send ended, by monotonic time; null when that was before this start of the agent. */
  sinceLastSendMs(rowId: number): number | null {
    const atMs = this.#lastSends.get(rowId);
    return atMs === undefined ? null : this.#options.clock.monotonicMs() - atMs;
  }

  /** Forgets the row's last send: nothing more is to be found out about the row. */
  isOver(rowId: number): void {
    this.#lastSends.delete(rowId);
  }

  /** @throws when the row is not there */
  operation(rowId: number): Operation {
    const operation = this.#options.operations.operation(rowId);
    if (operation === null) throw new Error(`Operation ${rowId} is gone`);
    return operation;
  }

  /** The row's present state, as an outcome for whoever asked. */
  standing(rowId: number): ImmediateOutcome {
    return standingOutcome(this.operation(rowId), this.#askedToWait.get(rowId) ?? null);
  }

  /** Forgets what the service asked to wait: nobody waits for this row any more. */
  forget(rowId: number): void {
    this.#askedToWait.delete(rowId);
  }

  close(): void {
    this.#unwritten.close();
  }
}

/** The caller is told at once what became of the row, and the outcome is surely the row's own. */
const toldAtOnce: Omit<Told, 'answer'> = { isCallerTold: true, isSurelyOwn: true };

/** A reversal names its original by reference, which under another key may be another shop's operation. */
const ofAnotherKey = unknownOutcome(
  'unauthenticated',
  'Nothing was sent: the operation was sent with another API key, and the service does not show it under this one.',
  { recorded: 'no' },
);

/** Whether the books were not read, or show nothing decided. */
function isUnsure(shown: InBooks): boolean {
  return shown === 'unread' || shown === 'limited' || shown === 'undecided';
}
