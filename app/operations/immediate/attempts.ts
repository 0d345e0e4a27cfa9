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
import { type SentRow, settle, settleChanged, settleReversedBefore, tellsTheEnd } from '../settlement/settlement.ts';
import { notSent, standingOutcome } from './desk-answers.ts';
import type { DeskOptions } from './desk-options.ts';
import { isHeldAsChanged } from './held-as-changed.ts';
import type { ImmediateOutcome } from './immediate-outcome.ts';
import { lateArrivalMs, settleDone, settleUnknownAtDesk } from './immediate-settlement.ts';
import { settleImmediate } from './settle-immediate.ts';
import { Unwritten } from './unwritten.ts';

/**
 * What the books show of a row. `known`: an outcome, which is on the disk now; `absent`: nothing, or what failed before;
 * `undecided`: the service works on what may be it; `refused`: it tells nothing of such a reference; `limited`:
 * it takes no look-up now; `unread`: nobody could read them, or what they show could not be told or written.
 */
type InBooks = 'known' | 'absent' | 'undecided' | 'refused' | 'limited' | 'unread';

/** How a row is looked up. */
export interface Reading {
  readonly isReleased?: boolean;
  readonly isWaitedFor?: boolean;
  readonly isFinal?: boolean;
}

/**
 * Single attempts at a row for which somebody waits: it is sent once, or looked up once, and what was learned is on the
 * disk afterwards. One at a time for a row.
 */
export class Attempts {
  readonly #options: DeskOptions;
  /** What the service said with its last answer to a row, in milliseconds (Retry-After). */
  readonly #askedToWait = new Map<number, number>();
  /** When the last send of a row that is not known ended, by monotonic time. */
  readonly #lastSends = new Map<number, number>();
  readonly #unwritten: Unwritten;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#unwritten = new Unwritten(options.clock);
  }

  /**
   * @param isReleased by a person, as it stands; else what was changed on the disk is compared with no record
   * @param isWaitedFor false: nobody waits, so that a slow answer about the customer is waited for
   * @param isFinal what is not shown is given up, or done anew under another reference: it counts as absent only where
   *   look-ups show what the books are known to hold, if this till knows of anything
   */
  async lookUp(
    rowId: number,
    { isReleased = false, isWaitedFor = true, isFinal = false }: Reading = {},
  ): Promise<InBooks> {
    const { operations, rows, line, ownership, keyFingerprint, clock } = this.#options;
    const row = rows.sent(rowId);
    if (row === null) return 'unread';
    if (!isReleased && !rows.isWhole(row)) {
      // It is held, and nothing is sent of it.
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
    const own = await ownAmong(records, (held) =>
      ownership.ofRecord(row, held, { nowMs: line.serviceNowMs(), isWaitedFor }),
    );
    switch (own.kind) {
      case 'own': {
        const change = settleDone(row, { ...outcome, answer: own.held }, clock.now());
        const isSurelyOwn = ownership.isSurelyOwn(row, own.held);
        return (await this.#record(row, change, own.held, { isWaitedFor, isSurelyOwn })) ? 'known' : 'unread';
      }
      case 'absent':
      // Another till's, under the same reference: the service has nothing of this row.
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
    if (isHeldAsChanged(this.#options, this.operation(rowId))) return this.standing(rowId);
    if (this.operation(rowId).state !== 'sending') {
      await writer.urgent(() => operations.mark([rowId], { atMs: clock.now(), keyFingerprint }));
    }
    const row = rows.sent(rowId);
    if (row === null || this.operation(rowId).state !== 'sending') return this.standing(rowId);
    if (!operations.seals.isWhole(row)) return this.#hold(row);
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
        // It would be paid for twice if that answer was wrong.
        const shown = tellsTheEnd(change) ? await this.#inBooks(row) : 'absent';
        if (isUnsure(shown)) return this.#lose(row, `the status of ${change.event}`);
        if (shown !== 'known') await this.#record(row, change, outcome.answer);
        const told = this.standing(rowId);
        // The books do not say that it was done before; the answer did.
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
        await this.#record(row, change, null);
        const { message, retryAfterMs } = outcome;
        // A reversal that a person has handed to the sender meanwhile, or what was given, goes out again.
        const goesOutAgain = ['queued', 'unknown'].includes(this.operation(rowId).state);
        if (change.event === 'not_sent' && !goesOutAgain) return { ...notSent(outcome.cause), message, retryAfterMs };
        if (retryAfterMs !== null) this.#askedToWait.set(rowId, retryAfterMs);
        return null;
      }
      default:
        return assertNever(outcome);
    }
  }

  /** Not proven yet: a refusal names nothing that it is about, and an earlier attempt may have been recorded. */
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
    // The service takes writes: the same one again does nothing new, and tells for whom the refusal was. Of a reversal its
    // original has to tell.
    const canAskAgain = shown === 'limited' && row.intent !== 'reverse';
    if (canAskAgain && refusedWith === null) {
      const sent = { ...row, maybeSent: true };
      return this.#settle(sent, await this.#answered(sent), code);
    }
    const isSaidTwice = canAskAgain && refusedWith === code;
    // Said to be reversed, a first attempt goes out again until its original's books tell.
    const isFirstReversal = shown !== 'undecided' && !row.maybeSent && code === 'ALREADY_REVERSED';
    const isDoubtful = isUnsure(shown) && !isSaidTwice && !isFirstReversal;
    if (isDoubtful && !isConflict(row, code)) return this.#lose(row, `the refusal ${code}`);
    const original = await ownership.originalOfRefused(row, refused);
    const nowMs = clock.now();
    const change =
      original === null
        ? settle(row, refused, { nowMs, random: 0, rowAlone: false })
        : settleReversedBefore({ ...row, attempts: 0 }, refused, { nowMs, original });
    await this.#record(row, change, null);
    // What the service did for another till it refuses us.
    const httpStatus = facts.httpStatus < 300 ? errorFacts.DUPLICATE_TRANSACTION.status : facts.httpStatus;
    return { kind: 'refused', operation: this.operation(row.rowId), refusal: { error, body, httpStatus } };
  }

  /** What the books show of a row that has an answer, where they can show it. */
  async #inBooks({ rowId, intent }: SendableOperation): Promise<InBooks> {
    return isInTheBooks(intent) ? this.lookUp(rowId) : 'absent';
  }

  async #hold(row: SendableOperation): Promise<ImmediateOutcome> {
    this.#options.audit.note({ event: 'operation_changed', operation_id: this.operation(row.rowId).operationId });
    await this.#record(row, settleChanged(row, this.#options.clock.now()), null);
    return this.standing(row.rowId);
  }

  async #lose(row: SendableOperation, answer: string): Promise<null> {
    await this.#record(row, settleUnknownAtDesk(row, nothingSure(answer), this.#options.clock.now()), null);
    return null;
  }

  /** @returns whether it is on the disk; if not, it is not known to anybody yet, and is written when it can be */
  async #record(
    row: SentRow,
    change: OperationChange,
    answer: unknown,
    { isWaitedFor = true, isSurelyOwn = true }: Pick<Reading, 'isWaitedFor'> & { readonly isSurelyOwn?: boolean } = {},
  ): Promise<boolean> {
    const told = { answer, isWaitedFor, isSurelyOwn };
    try {
      await this.#write(row, change, told);
      return true;
    } catch (error) {
      this.#options.onWriteFailed(error);
      this.#unwritten.later(row.rowId, () => this.#write(row, change, told));
      return false;
    }
  }

  async #write(row: SentRow, change: OperationChange, told: Parameters<typeof settleImmediate>[3]): Promise<void> {
    const { writer, onChanged } = this.#options;
    onChanged(await writer.urgent(() => settleImmediate(this.#options, row.rowId, change, told)));
    if (change.event !== 'lose') this.isOver(row.rowId);
  }

  /** How long ago its last send ended, by monotonic time; null when it was sent before this start of the agent. */
  sinceLastSendMs(rowId: number): number | null {
    const atMs = this.#lastSends.get(rowId);
    return atMs === undefined ? null : this.#options.clock.monotonicMs() - atMs;
  }

  /** Nothing more is to be found out about this row. */
  isOver(rowId: number): void {
    this.#lastSends.delete(rowId);
  }

  /** @throws when the row is not there */
  operation(rowId: number): Operation {
    const operation = this.#options.operations.operation(rowId);
    if (operation === null) throw new Error(`Operation ${rowId} is gone`);
    return operation;
  }

  /** What stands now, as an outcome. */
  standing(rowId: number): ImmediateOutcome {
    return standingOutcome(this.operation(rowId), this.#askedToWait.get(rowId) ?? null);
  }

  /** Nobody waits for this row any more. */
  forget(rowId: number): void {
    this.#askedToWait.delete(rowId);
  }

  close(): void {
    this.#unwritten.close();
  }
}

/** Under another key the reversal's reference may be another shop's operation. */
const ofAnotherKey = unknownOutcome(
  'unauthenticated',
  'Nothing was sent: the operation was sent with another API key, and the service does not show it under this one.',
  { recorded: 'no' },
);

/** The books were not read, or tell nothing that is decided. */
function isUnsure(shown: InBooks): boolean {
  return shown === 'unread' || shown === 'limited' || shown === 'undecided';
}
