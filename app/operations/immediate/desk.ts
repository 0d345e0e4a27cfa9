import { assertNever } from '../../../shared/lib/assert-never.ts';
import { isInTheBooks } from '../../../shared/machines/operation-intents.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { Decision } from '../../store/schema/operation-values.ts';
import { notSaved } from '../requests/not-saved.ts';
import { same } from '../requests/same-request.ts';
import {
  countEnrollment,
  limitPassed,
  namedIn,
  noteOfPassed,
  nothingTaken,
  spentNothing,
  valuesTaken,
} from '../requests/value-limits.ts';
import type { NonEarnWrite } from '../requests/write.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';
import { Wakeups } from '../settlement/wakeups.ts';
import { Attempts, type Reading } from './attempts.ts';
import { storeDecision } from './decide-unknown.ts';
import { alreadyReversed, notSent, ofEarlier, paidInFull, unlessPaidInFull } from './desk-answers.ts';
import type { DeskOptions, ServePlan } from './desk-options.ts';
import type { DecideOutcome, ImmediateOutcome } from './immediate-outcome.ts';
import { lookAgainMs } from './immediate-settlement.ts';
import { type InTheWay, inTheWayOf, type PlacingOptions, placeWrite, referenceIn } from './place-write.ts';
import { Unanswered } from './unanswered.ts';

/**
 * Carries the writes for which somebody waits: saved and marked in one commit, sent at once, settled with the answer.
 * While the outcome is not known the books are asked first, and the same bytes go out again only while the caller
 * waits. What is still not known then is left to the resolver.
 */
export class Desk {
  readonly #options: DeskOptions;
  readonly #running = new Map<number, Promise<ImmediateOutcome>>();
  readonly #wakeups: Wakeups;
  readonly #attempts: Attempts;
  readonly #unanswered: Unanswered;
  readonly #placing: PlacingOptions;
  #isClosing = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#wakeups = new Wakeups(options.clock);
    this.#attempts = new Attempts(options);
    this.#unanswered = new Unanswered(options.clock);
    this.#placing = { ...options, isUnanswered: (rowId) => this.#unanswered.has(rowId) };
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
  async perform(write: NonEarnWrite, { waitMs }: { readonly waitMs: number }): Promise<ImmediateOutcome> {
    const { clock, answerWithinMs } = this.#options;
    const startedAtMs = clock.monotonicMs();
    const outcome = await this.#perform(write, waitMs);
    // The screen tells by itself what is found out later.
    if (write.origin === 'bridge') {
      this.#unanswered.note(outcome, { isLate: clock.monotonicMs() - startedAtMs >= answerWithinMs });
    }
    return outcome;
  }

  /** The POS program that asked for a row has heard how it ended, not by the answer to its write. */
  heardTheEnd(rowId: number): void {
    this.#unanswered.heard(rowId, { isServed: this.isServing(rowId) });
  }

  async #perform(write: NonEarnWrite, waitMs: number): Promise<ImmediateOutcome> {
    const { rows, writer, clock, line, limits, keyFingerprint, newRows } = this.#options;
    const nowMs = clock.now();
    const row = newRows.immediate(write);
    const before = inTheWayOf(this.#placing, row);
    if (before.kind === 'taken' || before.kind === 'reversed') return this.#again(before, waitMs);
    const underWay = this.#copyUnderWay(row);
    if (underWay !== null) return ofEarlier(await underWay);
    if (line.downCause !== null) return this.#leftUnknown(row) ?? notSent(line.downCause);
    const { approvedBy, operationId } = write;
    const values = this.#isHeldAgain(row) ? nothingTaken : valuesTaken(row);
    const admission = limits.admit(values, { approvedBy });
    if (admission.kind === 'not_saved') return admission;
    if (admission.kind === 'above_limit') return { ...admission, limit: namedIn(row, admission.limit) };
    const { passed } = admission;
    const codes = countEnrollment(limits, write);
    if (codes !== null) return { kind: 'above_limit', limit: codes };
    let place: ReturnType<typeof placeWrite> | null = null;
    try {
      place = await writer.urgent(() => {
        const placed = placeWrite(this.#placing, row, { atMs: nowMs, keyFingerprint });
        if (passed !== null && placed.kind === 'placed') rows.annotate(placed.rowId, noteOfPassed(passed));
        return placed;
      });
    } catch (error) {
      return notSaved(error);
    } finally {
      if (place?.kind !== 'placed') {
        limits.giveBack(values);
        limits.giveBackEnrollment(operationId);
      }
    }
    if (place.kind !== 'placed') return this.#again(place, waitMs);
    if (passed !== null) this.#options.audit.note(limitPassed(passed, operationId));
    this.#options.onChanged([place.rowId]);
    const served = await this.#serve(place.rowId, { waitMs, first: 'send', isRepeat: false });
    // The screen shows the decision with the operation. A POS program would deduct what is taken back.
    const outcome = write.origin === 'bridge' ? unlessPaidInFull(served) : served;
    if (outcome.kind === 'refused' || outcome.kind === 'not_sent') limits.giveBack(spentNothing(values));
    if (outcome.kind !== 'not_sent') return outcome;
    limits.giveBackEnrollment(operationId);
    return this.#leftUnknown(row, outcome.retryAfterMs) ?? outcome;
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
   * @returns `known`: its outcome is known now, and another one than failed; `absent`: the books do not show it; `unsure`:
   *   they tell nothing sure
   */
  async lookUp(rowId: number, reading: Reading): Promise<'known' | 'absent' | 'unsure'> {
    const shown = await this.#attempts.lookUp(rowId, reading);
    return shown === 'known' || shown === 'absent' ? shown : 'unsure';
  }

  /**
   * Whether what a reversal was to take back shows as reversed. Under which reference the reversal itself is filed is
   * the service's own affair.
   */
  async isTakenBack(rowId: number): Promise<boolean> {
    const row = this.#options.rows.sent(rowId);
    return row !== null && (await this.#options.ownership.originalThere(row)) === 'reversed';
  }

  /**
   * Whether what the books do not show is proven: another key may be another source. The books of its original's key show a
   * reversal.
   */
  isUnderThisKey(rowId: number): boolean {
    const { rows, keyFingerprint, ownership } = this.#options;
    const row = rows.sent(rowId);
    const last = row?.lastKeyFingerprint ?? null;
    if (row === null || last === null || last === keyFingerprint) return true;
    return ownership.isOfOriginalOfThisKey(row);
  }

  /** What stands unknown while nobody waits for it; null when it does not, somebody does, or the sender carries it. */
  unknownNow(rowId: number): Operation | null {
    if (this.isServing(rowId)) return null;
    const operation = this.#attempts.operation(rowId);
    return operation.state === 'unknown' && operation.delivery === 'immediate' ? operation : null;
  }

  /**
   * The books do not show it, and nobody has to finish it: it ends as never recorded.
   *
   * @param looked as it stood when it was looked up
   * @returns false when somebody has sent it again meanwhile, which may still arrive, or has decided about it
   */
  async cancelAbsent({ rowId, ...looked }: Pick<Operation, 'rowId' | 'attempts' | 'decision'>): Promise<boolean> {
    const { operations, writer, clock } = this.#options;
    const step = stepWithoutSend({ rowId, attempts: 0, maybeSent: false }, clock.now());
    const isCancelled = await writer.urgent(() => {
      const now = this.unknownNow(rowId);
      if (now?.attempts !== looked.attempts || now.decision !== looked.decision) return false;
      operations.change({ ...step, event: 'prove_absent' });
      operations.change({ ...step, event: 'cancel' });
      return true;
    });
    if (isCancelled) {
      this.#attempts.isOver(rowId);
      this.#options.onChanged([rowId]);
    }
    return isCancelled;
  }

  /** How long ago its last send ended, by monotonic time; null when it was sent before this start of the agent. */
  sinceLastSendMs(rowId: number): number | null {
    return this.#attempts.sinceLastSendMs(rowId);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#attempts.close();
    this.wake();
    await Promise.all(this.#running.values());
  }

  /** The same operation, or the same reference, is asked for once more. */
  async #again(inTheWay: Extract<InTheWay, { kind: 'taken' | 'reversed' }>, waitMs: number): Promise<ImmediateOutcome> {
    if (inTheWay.kind === 'reversed') return this.#takenBackBy(inTheWay.reversal, waitMs);
    const { operation, differences } = inTheWay;
    const { rowId, intent } = operation;
    // Nobody has decided anything about another customer's.
    if (differences.differingFields.length > 0) return { kind: 'reference_taken', operation, ...differences };
    // However often it is asked for: the customer has paid, and what the service turns out to hold is taken back.
    if (operation.decision === 'take_full_payment') return paidInFull(operation);
    switch (operation.state) {
      case 'queued':
      case 'sending':
      case 'unknown': {
        // The sender sends deferred sales, and the crash recovery goes on with what a crash left: nothing is sent here.
        if (operation.delivery === 'deferred' || this.#options.crashRecovery.isLeft(rowId)) {
          return { kind: 'unknown', operation, retryAfterMs: null };
        }
        const isUnderWay = this.#running.has(rowId);
        const first = isInTheBooks(intent) ? 'read' : 'send';
        const outcome = unlessPaidInFull(await this.#serve(rowId, { waitMs, first, isRepeat: true }));
        return isUnderWay ? ofEarlier(outcome) : outcome;
      }
      case 'applied':
      case 'reversed':
      case 'accepted':
        return { kind: 'done', operation, answer: operation.answer, duplicate: true };
      case 'refused':
      case 'cancelled':
      case 'failed':
      case 'written_off':
        return this.#attempts.standing(rowId);
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

  /** The service holds a cart once, however often it is asked for: it is counted once. */
  #isHeldAgain(row: NewOperation): boolean {
    return row.intent === 'reserve' && this.#options.rows.isReservedUnder(referenceIn(row), row);
  }

  /**
   * The service's books cannot show such a write, so each request gets its own row. While an equal one is on its way, the
   * caller waits for that one.
   */
  #copyUnderWay(row: NewOperation): Promise<ImmediateOutcome> | null {
    if (isInTheBooks(row.intent)) return null;
    for (const rowId of this.#options.rows.sendingLike(row)) {
      const underWay = this.#running.get(rowId);
      if (underWay !== undefined) return underWay;
    }
    return null;
  }

  /** It was sent before, in a row of its own, and got no answer: it may be done, though nothing is sent now. */
  #leftUnknown(row: NewOperation, retryAfterMs: number | null = null): ImmediateOutcome | null {
    const operation = this.#options.rows.unknownLike(row);
    return operation === null ? null : { kind: 'unknown', operation, retryAfterMs };
  }

  /** One at a time for a row: who comes later shares what comes of it. */
  #serve(rowId: number, plan: ServePlan): Promise<ImmediateOutcome> {
    const underWay = this.#running.get(rowId);
    if (underWay !== undefined) return underWay;
    const serving = this.#run(rowId, plan)
      .catch((error: unknown) => {
        // It could not be marked as sent once more; of what was sent before it, nothing is known.
        this.#options.onWriteFailed(error);
        return this.#attempts.standing(rowId);
      })
      .finally(() => {
        this.#running.delete(rowId);
        this.#attempts.forget(rowId);
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
        const outcome = await this.#attempts.send(rowId);
        if (outcome !== null) return outcome;
      } else {
        const shown = await this.#attempts.lookUp(rowId, { isWaitedFor: true });
        if (shown === 'known') {
          const outcome = this.#attempts.standing(rowId);
          return outcome.kind === 'done' ? { ...outcome, duplicate: isRepeat } : outcome;
        }
        // Of a reversal that the service still works on, its answer to the same request tells whose it is.
        if ((shown === 'absent' || shown === 'undecided') && this.#maySendAgain(rowId)) {
          step = 'send';
          continue;
        }
      }
      const restMs = endsAtMs - clock.monotonicMs();
      if (restMs <= 0 || this.#isClosing) return this.#attempts.standing(rowId);
      await this.#wakeups.pause(Math.min(restMs, lookAgainMs('waiting', looks)));
      const { state, intent } = this.#attempts.operation(rowId);
      if (state !== 'unknown') return this.#attempts.standing(rowId);
      step = isInTheBooks(intent) || !this.#maySendAgain(rowId) ? 'read' : 'send';
    }
  }

  /** Who was told to take the full payment gets no second attempt; nor does a row that may be under another key. */
  #maySendAgain(rowId: number): boolean {
    if (!this.isUnderThisKey(rowId) || this.#options.line.gate === 'closed') return false;
    return this.#attempts.operation(rowId).decision !== 'take_full_payment';
  }
}
