import { errorFacts } from '../../../shared/contract/errors.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { intentInBooks, isInTheBooks } from '../../../shared/machines/operation-intents.ts';
import type { OperationChange, SendableOperation } from '../../store/rows/delivery.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { Decision } from '../../store/schema/operation-values.ts';
import { isConflict, nothingSure } from '../ownership/anothers-record.ts';
import type { ImmediateWrite } from '../requests/immediate-write.ts';
import { notSaved } from '../requests/not-saved.ts';
import { same } from '../requests/same-request.ts';
import {
  type AboveLimit,
  enrollmentAbove,
  limitPassed,
  passedInWords,
  spentNothing,
  valuesTaken,
} from '../requests/value-limits.ts';
import { type SentRow, settle, settleChanged, settleReversedBefore, unchanged } from '../settlement/settlement.ts';
import { storeDecision } from './decide-unknown.ts';
import { alreadyReversed, notSent, paidInFull, standingOutcome } from './desk-answers.ts';
import type { DeskOptions, ServePlan } from './desk-options.ts';
import { isHeldAsChanged } from './held-as-changed.ts';
import type { DecideOutcome, ImmediateOutcome } from './immediate-outcome.ts';
import { lookAgainMs, settleDone, settleUnknownOutcome } from './immediate-settlement.ts';
import { settleImmediate } from './settle-immediate.ts';
import { placeWrite, type Standing, standingOf } from './standing-request.ts';
import { Unwritten } from './unwritten.ts';
import { Wakeups } from './wakeups.ts';

/**
 * Whether the books have shown an outcome. `undecided`: the service works on what may be it; `refused`: it tells nothing
 * of such a reference; null: they could not be read.
 */
type Known = boolean | null | 'undecided' | 'refused';

/**
 * Carries the writes for which somebody waits: saved and marked in one commit, sent at once, settled with the answer.
 * While the outcome is not known the books are asked first, and the same bytes go out again only while the caller
 * waits. What is still not known then is left to the resolver.
 */
export class Desk {
  readonly #options: DeskOptions;
  readonly #running = new Map<number, Promise<ImmediateOutcome>>();
  /** What the service said with its last answer to a row, in milliseconds (Retry-After). */
  readonly #askedToWait = new Map<number, number>();
  readonly #wakeups: Wakeups;
  readonly #unwritten: Unwritten;
  #isClosing = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#wakeups = new Wakeups(options.clock);
    this.#unwritten = new Unwritten(options.clock);
  }

  /** Whether somebody is being served with this row: then nobody else touches it. */
  isServing(rowId: number): boolean {
    return this.#running.has(rowId);
  }

  /** The line has changed: those who wait look again at once. */
  wake(): void {
    this.#wakeups.wakeAll();
  }

  /** @param waitMs how long the caller waits for an outcome that is not known at once */
  async perform(write: ImmediateWrite, { waitMs }: { readonly waitMs: number }): Promise<ImmediateOutcome> {
    const { immediate, writer, clock, line, limits, keyFingerprint, newRows } = this.#options;
    const nowMs = clock.now();
    const row = newRows.immediate(write);
    const before = standingOf(this.#options, row);
    if (before.kind === 'taken' || before.kind === 'reversed') return this.#again(before, waitMs);
    const underWay = this.#copyUnderWay(row);
    if (underWay !== null) return underWay;
    if (line.downCause !== null) return notSent(line.downCause);
    const codes = enrollmentAbove(limits, write);
    if (codes !== null) return { kind: 'above_limit', limit: codes };
    const { approvedBy } = write;
    const values = valuesTaken(row);
    let above: AboveLimit | null;
    try {
      above = limits.take(values, { isApproved: approvedBy !== undefined });
    } catch (error) {
      // What the last hour took cannot be read: no limit is passed, and nothing is sent.
      return notSaved(error);
    }
    if (above !== null && approvedBy === undefined) return { kind: 'above_limit', limit: above };
    let place: ReturnType<typeof placeWrite> | null = null;
    try {
      place = await writer.urgent(() => {
        const placed = placeWrite(this.#options, row, { atMs: nowMs, keyFingerprint });
        if (placed.kind === 'placed' && above !== null && approvedBy !== undefined) {
          immediate.annotate(placed.rowId, { reason: passedInWords(above), person: approvedBy });
        }
        return placed;
      });
    } catch (error) {
      return notSaved(error);
    } finally {
      if (place?.kind !== 'placed') limits.giveBack(values);
    }
    if (place.kind !== 'placed') return this.#again(place, waitMs);
    if (above !== null && approvedBy !== undefined) {
      this.#options.audit.note(limitPassed(above, { operationId: write.operationId, by: approvedBy }));
    }
    this.#options.onChanged([place.rowId]);
    const outcome = await this.#serve(place.rowId, { waitMs, first: 'send', isRepeat: false });
    if (outcome.kind === 'refused' || outcome.kind === 'not_sent') limits.giveBack(spentNothing(values));
    return outcome;
  }

  /** Stores what the cashier chose while the outcome was not known. */
  async decide(operationId: string, decision: Decision): Promise<DecideOutcome> {
    const outcome = await storeDecision(this.#options, operationId, decision);
    if (outcome.kind === 'decided') this.wake();
    return outcome;
  }

  /** Sends a row again that stands unknown, and keeps what comes of it; for the resolver. */
  sendAgain(rowId: number): Promise<ImmediateOutcome> {
    return this.#serve(rowId, { waitMs: 0, first: 'send', isRepeat: false });
  }

  /**
   * Looks a row up that stands unknown, or failed.
   *
   * @returns whether its outcome is known now, and another one than failed; null when the books could not be read
   */
  async lookUp(rowId: number, reading: { readonly isReleased?: boolean } = {}): Promise<boolean | null> {
    const known = await this.#lookUp(rowId, reading);
    return typeof known === 'string' ? null : known;
  }

  /** @param isReleased by a person, as it stands; else what was changed on the disk is compared with no record */
  async #lookUp(rowId: number, { isReleased = false } = {}): Promise<Known> {
    const { immediate, line } = this.#options;
    const row = immediate.sent(rowId);
    if (row === null) return null;
    if (!isReleased && !immediate.isWhole(row)) {
      // It is held, and nothing is sent of it.
      if (this.#operation(rowId).state === 'unknown') await this.#send(rowId);
      return null;
    }
    const outcome = await line.judged.lookUp(row.externalRef);
    if (outcome.kind !== 'done') return outcome.kind === 'refused' ? 'refused' : null;
    const held = outcome.answer.data.find(({ intent }) => intent === intentInBooks[row.intent]);
    if (held === undefined) return false;
    if (held.status === 'failed' && this.#operation(rowId).state === 'failed') return false;
    const verdict = await this.#options.ownership.ofRecord(row, held, { nowMs: this.#options.line.serviceNowMs() });
    if (verdict.kind === 'unknown') return null;
    // Another till's, under the same reference: the service has nothing of this row.
    if (verdict.kind !== 'ours') return verdict.kind === 'anothers' ? false : verdict.kind;
    const change = settleDone(row, { ...outcome, answer: held }, this.#options.clock.now());
    return (await this.#record(row, change, held)) ? true : null;
  }

  /**
   * Whether what a reversal was to take back shows as reversed. Under which reference the reversal itself is filed is
   * the service's own affair.
   */
  async isTakenBack(rowId: number): Promise<boolean> {
    const row = this.#options.immediate.sent(rowId);
    return row !== null && (await this.#options.ownership.originalThere(row)) === 'reversed';
  }

  /** Whether what the books do not show is proven: another key may be another source. */
  isUnderThisKey(rowId: number): boolean {
    const last = this.#options.immediate.sent(rowId)?.lastKeyFingerprint ?? null;
    return last === null || last === this.#options.keyFingerprint;
  }

  /** The books do not show it, and nobody has to finish it: it ends as never recorded. */
  async cancelAbsent(rowId: number): Promise<void> {
    const { store, writer, clock } = this.#options;
    const step = { ...unchanged({ rowId, send: null, attempts: 0, maybeSent: false }, clock.now()) };
    await writer.urgent(() => {
      store.change({ ...step, event: 'prove_absent' });
      store.change({ ...step, event: 'cancel' });
    });
    this.#options.onChanged([rowId]);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#unwritten.close();
    this.wake();
    await Promise.all(this.#running.values());
  }

  /** The same operation, or the same reference, is asked for once more. */
  async #again(standing: Extract<Standing, { kind: 'taken' | 'reversed' }>, waitMs: number): Promise<ImmediateOutcome> {
    if (standing.kind === 'reversed') return this.#takenBackBy(standing.reversal, waitMs);
    const { operation, differences } = standing;
    const { rowId, intent } = operation;
    // However often it is asked for: the customer has paid, and what the service turns out to hold is taken back.
    if (operation.decision === 'take_full_payment') return paidInFull(operation);
    if (differences.differingFields.length > 0) return { kind: 'reference_taken', operation, ...differences };
    switch (operation.state) {
      case 'queued':
      case 'sending':
      case 'unknown': {
        // What is sent when it can be is the sender's.
        if (operation.delivery === 'deferred' || this.#options.crashRecovery.isLeft(rowId)) {
          return { kind: 'unknown', operation, retryAfterMs: null };
        }
        const isUnderWay = this.#running.has(rowId);
        const first = isInTheBooks(intent) ? 'read' : 'send';
        const outcome = await this.#serve(rowId, { waitMs, first, isRepeat: true });
        return outcome.kind === 'done' && isUnderWay ? { ...outcome, duplicate: true } : outcome;
      }
      case 'applied':
      case 'reversed':
      case 'accepted':
        return { kind: 'done', operation, answer: operation.answer, duplicate: true };
      case 'refused':
      case 'cancelled':
      case 'failed':
      case 'written_off':
        return this.#standing(rowId);
      default:
        return assertNever(operation.state);
    }
  }

  /** Under another reference. While its outcome is not known nothing is promised on it: it is found out, or sent again. */
  async #takenBackBy(reversal: Operation, waitMs: number): Promise<ImmediateOutcome> {
    if (reversal.delivery === 'deferred') return alreadyReversed(reversal);
    const outcome = await this.#again({ kind: 'taken', operation: reversal, differences: same }, waitMs);
    return outcome.kind === 'done' ? alreadyReversed(outcome.operation) : outcome;
  }

  /** What has a row each time it is asked for is not sent a second time while the first is on its way. */
  #copyUnderWay(row: NewOperation): Promise<ImmediateOutcome> | null {
    if (isInTheBooks(row.intent)) return null;
    for (const rowId of this.#options.immediate.sendingLike(row)) {
      const underWay = this.#running.get(rowId);
      if (underWay !== undefined) return underWay;
    }
    return null;
  }

  /** One at a time for a row: who comes later shares what comes of it. */
  #serve(rowId: number, plan: ServePlan): Promise<ImmediateOutcome> {
    const underWay = this.#running.get(rowId);
    if (underWay !== undefined) return underWay;
    const serving = this.#run(rowId, plan)
      .catch((error: unknown) => {
        // It could not be marked as sent once more; of what was sent before it, nothing is known.
        this.#options.onWriteFailed(error);
        return this.#standing(rowId);
      })
      .finally(() => {
        this.#running.delete(rowId);
        this.#askedToWait.delete(rowId);
      });
    this.#running.set(rowId, serving);
    return serving;
  }

  async #run(rowId: number, { waitMs, first, isRepeat }: ServePlan): Promise<ImmediateOutcome> {
    const { clock } = this.#options;
    const endsAtMs = clock.monotonicMs() + waitMs;
    let step = first;
    for (let looks = 0; ; looks += 1) {
      if (step === 'send') {
        const outcome = await this.#send(rowId);
        if (outcome !== null) return outcome;
      } else {
        const known = await this.#lookUp(rowId);
        if (known === true) {
          const outcome = this.#standing(rowId);
          return outcome.kind === 'done' ? { ...outcome, duplicate: isRepeat } : outcome;
        }
        // Of a reversal that the service still works on, its answer to the same request tells whose it is.
        if ((known === false || known === 'undecided') && this.#maySendAgain(rowId)) {
          step = 'send';
          continue;
        }
      }
      const restMs = endsAtMs - clock.monotonicMs();
      if (restMs <= 0 || this.#isClosing) return this.#standing(rowId);
      await this.#wakeups.pause(Math.min(restMs, lookAgainMs('waiting', looks)));
      const { state, intent } = this.#operation(rowId);
      if (state !== 'unknown') return this.#standing(rowId);
      step = isInTheBooks(intent) || !this.#maySendAgain(rowId) ? 'read' : 'send';
    }
  }

  /** Who was told to take the full payment gets no second attempt; nor does a row that may be under another key. */
  #maySendAgain(rowId: number): boolean {
    if (!this.isUnderThisKey(rowId) || this.#options.line.gate === 'closed') return false;
    return this.#operation(rowId).decision !== 'take_full_payment';
  }

  /** One attempt. @returns null when its outcome is not known */
  async #send(rowId: number): Promise<ImmediateOutcome | null> {
    const { store, immediate, writer, clock, line, keyFingerprint, ownership } = this.#options;
    if (isHeldAsChanged(this.#options, this.#operation(rowId))) return this.#standing(rowId);
    if (this.#operation(rowId).state !== 'sending') {
      await writer.urgent(() => store.mark([rowId], { atMs: clock.now(), keyFingerprint }));
    }
    const row = immediate.sent(rowId);
    if (row === null || this.#operation(rowId).state !== 'sending') return this.#standing(rowId);
    if (!store.seals.isWhole(row)) return this.#hold(row);
    const outcome = await ownership.believed(row, await line.judged.send(row), line.serviceNowMs());
    switch (outcome.kind) {
      case 'done': {
        const change = settleDone(row, outcome, clock.now());
        // One answer that says that it came to nothing may be wrong: it would be paid for twice.
        const isEnd = change.event === 'fail' || change.event === 'reverse';
        const known = isEnd ? await this.#inBooks(row) : false;
        if (known === null || known === 'undecided') return this.#lose(row, `the status of ${change.event}`);
        if (known !== true) await this.#record(row, change, outcome.answer);
        return this.#standing(rowId);
      }
      case 'refused': {
        // Not proven yet: it names nothing that it is about, and an earlier attempt may have been recorded.
        const known = await this.#inBooks(row);
        if (known === true) return this.#standing(rowId);
        const { code } = outcome.error;
        // Said to be reversed, a first attempt goes out again until its original's books tell.
        const isUnread = known === null && (row.maybeSent || code !== 'ALREADY_REVERSED');
        const isDoubtful = isUnread || known === 'undecided';
        if (isDoubtful && !isConflict(row, code)) return this.#lose(row, `the refusal ${code}`);
        const original = await ownership.originalOfRefused(row, outcome);
        const nowMs = clock.now();
        const change =
          original === null
            ? settle(row, outcome, { nowMs, random: 0, rowAlone: false })
            : settleReversedBefore({ ...row, attempts: 0 }, outcome, { nowMs, original });
        await this.#record(row, change, null);
        const { error, body, facts } = outcome;
        // What the service did for another till it refuses us.
        const httpStatus = facts.httpStatus < 300 ? errorFacts.DUPLICATE_TRANSACTION.status : facts.httpStatus;
        return { kind: 'refused', operation: this.#operation(rowId), refusal: { error, body, httpStatus } };
      }
      case 'unknown': {
        const change = settleUnknownOutcome(row, outcome, clock.now());
        // An answer that says so names nothing that it is about either.
        const known = change.event === 'not_sent' && outcome.facts !== null ? await this.#inBooks(row) : false;
        if (known === true) return this.#standing(rowId);
        if (known === 'undecided') return this.#lose(row, `the cause ${outcome.cause}`);
        await this.#record(row, change, null);
        const { message, retryAfterMs } = outcome;
        if (change.event === 'not_sent') return { ...notSent(outcome.cause), message, retryAfterMs };
        if (retryAfterMs !== null) this.#askedToWait.set(rowId, retryAfterMs);
        return null;
      }
      default:
        return assertNever(outcome);
    }
  }

  /** What the books show of a row that has an answer, where they can show it. */
  async #inBooks({ rowId, intent }: SendableOperation): Promise<Known> {
    return isInTheBooks(intent) ? this.#lookUp(rowId) : false;
  }

  async #hold(row: SendableOperation): Promise<ImmediateOutcome> {
    this.#options.audit.note({ event: 'operation_changed', operation_id: this.#operation(row.rowId).operationId });
    await this.#record(row, settleChanged(row, this.#options.clock.now()), null);
    return this.#standing(row.rowId);
  }

  async #lose(row: SendableOperation, answer: string): Promise<null> {
    await this.#record(row, settleUnknownOutcome(row, nothingSure(answer), this.#options.clock.now()), null);
    return null;
  }

  /** @returns whether it is on the disk; if not, it is not known to anybody yet, and is written when it can be */
  async #record(row: SentRow, change: OperationChange, answer: unknown): Promise<boolean> {
    try {
      await this.#write(row, change, answer);
      return true;
    } catch (error) {
      this.#options.onWriteFailed(error);
      this.#unwritten.later(row.rowId, () => this.#write(row, change, answer));
      return false;
    }
  }

  async #write(row: SentRow, change: OperationChange, answer: unknown): Promise<void> {
    const { writer, onChanged } = this.#options;
    onChanged(await writer.urgent(() => settleImmediate(this.#options, row.rowId, change, answer)));
  }

  #operation(rowId: number): Operation {
    const operation = this.#options.store.operation(rowId);
    if (operation === null) throw new Error(`Operation ${rowId} is gone`);
    return operation;
  }

  /** What stands now, as an outcome. */
  #standing(rowId: number): ImmediateOutcome {
    return standingOutcome(this.#operation(rowId), this.#askedToWait.get(rowId) ?? null);
  }
}
