import { toInstant } from '../../shared/lib/clock.ts';
import type { Audit, AuditEvent } from '../audit/audit-events.ts';
import type { Writer } from '../store/database/writer.ts';
import type { Operation } from '../store/schema/operation.ts';
import {
  type AttentionOutcome,
  type CorrectDecider,
  type Correction,
  type CorrectOutcome,
  type Decider,
  type ReplaceOutcome,
  type ResendDecider,
  unreadable,
} from './attention-outcome.ts';
import { carriedOut, decidedStep, type StepEffects } from './attention-step.ts';
import { type CorrectionParts, correctSale, putInPlace } from './corrected-sale.ts';
import type { Desk } from './immediate/desk.ts';
import { isWithheldAsChanged } from './immediate/withheld-as-changed.ts';
import type { NewRows } from './requests/new-rows.ts';
import { notSaved } from './requests/not-saved.ts';
import { namesTheTime } from './requests/refused-time.ts';
import { valuesOf } from './requests/request-values.ts';
import { isUnreadable, parsedBody } from './requests/row-request.ts';
import { type LimitWatch, limitedValues, limitPassed, type PassedLimit, raisedBy } from './requests/value-limits.ts';
import { changeWithConsequences } from './settlement/consequences.ts';
import { changedOnDisk } from './settlement/settlement.ts';
import { takeBack } from './watch/late-success.ts';

interface AttentionOptions extends CorrectionParts {
  readonly writer: Writer;
  readonly newRows: NewRows;
  /** Looks a row up in the service's books. */
  readonly desk: Pick<Desk, 'lookUp'>;
  /** Whether a row stands at the service as it is, or as it was before it was changed; null when nobody knows. */
  readonly holdsAnyVersion: (operation: Operation) => Promise<boolean | null>;
  readonly audit: Audit;
  /** The limits that a correction must keep; null where nobody corrects a sale. */
  readonly limits: Pick<LimitWatch, 'admit' | 'giveBack'> | null;
  readonly onChanged: (rowIds: readonly number[]) => void;
}

type Decided = Extract<AuditEvent, { event: 'decided' }>;

/** What is decided, and by whom. */
interface Deciding extends Pick<Decided, 'decision'> {
  readonly decider: Decider;
  /** The limit that the decision passes, if it passes one. */
  readonly passed?: PassedLimit | null;
}

/**
 * People's decisions about operations that do not go on by themselves (design "One idea: the operation"). Where the
 * service may hold the operation, its books are read before the decision is carried out.
 */
export class Attention {
  readonly #options: AttentionOptions;

  constructor(options: AttentionOptions) {
    this.#options = options;
  }

  /**
   * Sends a refused operation again as it is; only a sale's time is made anew where wrong dates may have made it. Also sends
   * one that went out under another key, when the books of this key do not show it.
   */
  resend(operationId: string, { occurredAtMs = null, ...decider }: ResendDecider): Promise<AttentionOutcome> {
    return this.#decide(operationId, { decision: 'resend', decider }, (operation, effects) => {
      const { operations, rows, clock } = this.#options;
      if (occurredAtMs !== null && !isRefusedForItsTime(operation)) return { kind: 'not_now', operation };
      // The queue carries no immediate operation: the resolver sends this one, if somebody chose to give it.
      if (operation.delivery === 'immediate' && isWithheldAsChanged(this.#options, operation)) {
        operations.seals.sealAgain(operation.rowId);
        effects.isSealedAgain = true;
        rows.annotate(operation.rowId, decider);
        return carriedOut(operations, operation, effects);
      }
      // A cancelled operation was taken back: only a new request may take its place.
      if (operation.state === 'cancelled') return { kind: 'not_now', operation };
      const event = operation.state === 'unknown' ? 'prove_absent' : 'resend';
      const frozen = rows.sent(operation.rowId)?.body ?? null;
      if (isUnreadable(frozen)) return unreadable;
      const isErased = frozen === null;
      const isDeferred = operation.delivery === 'deferred';
      if (isErased || !isDeferred || operations.change({ ...decidedStep(operation, clock.now()), event }) === null) {
        return { kind: 'not_now', operation };
      }
      if (operation.error?.code === changedOnDisk.code) {
        // The person was told that the request was changed on the disk, and releases it as it is now.
        operations.seals.sealAgain(operation.rowId);
        effects.isSealedAgain = true;
      } else if (occurredAtMs !== null) {
        this.#giveTime(operation.rowId, occurredAtMs, effects);
      } else if (operation.state === 'refused') {
        const instant = this.#options.correction?.again(operation.rowId, operation.error) ?? null;
        if (instant !== null) rows.changeInstant(operation.rowId, instant);
      }
      rows.annotate(operation.rowId, decider);
      return carriedOut(operations, operation, effects);
    });
  }

  /**
   * Corrects a refused sale under the same reference, because the service is proven to hold nothing of it. A failed sale has
   * used up its reference, so that a new operation takes its place.
   */
  async correct(operationId: string, correction: Correction, decider: CorrectDecider): Promise<CorrectOutcome> {
    const { operations, limits } = this.#options;
    const found = operations.operationById(operationId);
    if (found === null) return { kind: 'not_found' };
    if (limits === null) return { kind: 'not_now', operation: found };
    const values = limitedValues({ ...valuesOf(correction), isOneShot: false });
    const ofHour = raisedBy(values, found);
    const admission = limits.admit(values, { approvedBy: decider.approvedBy, ofHour });
    if (admission.kind !== 'admitted') return admission;
    const { passed } = admission;
    const outcome = await this.#decide<ReplaceOutcome>(
      operationId,
      { decision: 'correct', decider, passed },
      (operation, effects) => correctSale(this.#options, { operation, effects }, { decider, correction }),
    );
    if (outcome.kind !== 'done') limits.giveBack(ofHour);
    return outcome;
  }

  /**
   * Puts a new operation in the place of one whose reference is used up: the service recorded the sale as failed, or holds
   * another till's sale under the reference.
   *
   * @param reference the new operation's; null: made from the old one's
   */
  replace(operationId: string, decider: Decider, reference: string | null = null): Promise<ReplaceOutcome> {
    return this.#decide<ReplaceOutcome>(operationId, { decision: 'replace', decider }, (operation, effects) =>
      putInPlace(this.#options, { operation, effects }, { decider, reference, correction: null }),
    );
  }

  /** Writes an operation off; its history tells the reason. */
  writeOff(operationId: string, decider: Decider): Promise<AttentionOutcome> {
    return this.#decide(operationId, { decision: 'write_off', decider }, (operation, effects) => {
      const { operations, rows, clock } = this.#options;
      const step = { ...decidedStep(operation, clock.now()), event: 'write_off' as const };
      const changed = changeWithConsequences(this.#options, step);
      if (changed.length === 0) return { kind: 'not_now', operation };
      rows.annotate(operation.rowId, decider);
      effects.touched.push(...changed);
      return { kind: 'done', operation: operations.operation(operation.rowId) ?? operation };
    });
  }

  /** Leaves an operation as it is that a later look found in the service's books. */
  keep(operationId: string, decider: Decider): Promise<AttentionOutcome> {
    return this.#decide(operationId, { decision: 'keep', decider }, (operation, effects) => {
      if (operation.found === null) return { kind: 'not_now', operation };
      return this.#decideFound(operation, decider, effects);
    });
  }

  /** Reverses an operation that a later look found in the service's books. */
  takeBack(operationId: string, decider: Decider): Promise<AttentionOutcome> {
    return this.#decide(operationId, { decision: 'take_back', decider }, (operation, effects) => {
      const { operations, rows, newRows, clock } = this.#options;
      if (operation.found === null) return { kind: 'not_now', operation };
      const reversal = rows.reversalOf(operation.rowId);
      if (reversal === null) {
        const parts = { stores: this.#options, newRows, nowMs: clock.now() };
        const reversed = takeBack(parts, operation, decider.reason);
        if (reversed.length === 0) return { kind: 'not_now', operation };
        effects.touched.push(...reversed);
      } else {
        // The program may not ask for this reversal again, and the person counts on it: the sender sees to it.
        operations.watches.defer(reversal.rowId);
        effects.touched.push(reversal.rowId);
      }
      return this.#decideFound(operation, decider, effects);
    });
  }

  /** Another request is kept beside the one that was refused, as with a correction. */
  #giveTime(rowId: number, epochMs: number, effects: StepEffects): void {
    const { operations, rows, newRows } = this.#options;
    const sent = rows.sent(rowId);
    // What was changed on the disk must not get our seal.
    if (sent === null || !operations.seals.isSealIntact(sent)) return;
    const occurred_at = toInstant(epochMs);
    const { occurredAtMs, businessDate } = newRows.moment(occurred_at);
    const body = JSON.stringify({ ...parsedBody(sent.body), occurred_at });
    rows.giveInstant(rowId, { occurredAtMs, businessDate, body });
    effects.givenTime = occurred_at;
  }

  #decideFound(operation: Operation, decider: Decider, effects: StepEffects): AttentionOutcome {
    const { operations, rows } = this.#options;
    operations.watches.setFound(operation.rowId, null);
    rows.annotate(operation.rowId, decider);
    return carriedOut(operations, operation, effects);
  }

  async #decide<Outcome extends { readonly kind: string } = AttentionOutcome>(
    operationId: string,
    { decision, decider, passed = null }: Deciding,
    step: (operation: Operation, effects: StepEffects) => Outcome | AttentionOutcome,
  ): Promise<Outcome | AttentionOutcome> {
    const { operations, writer, desk } = this.#options;
    const found = operations.operationById(operationId);
    if (found === null) return { kind: 'not_found' };
    // Only one answer said that this sale came to nothing. If it was wrong, a new reference would give the sale twice.
    const isToReplace =
      (found.state === 'failed' && (decision === 'replace' || decision === 'correct')) ||
      (found.state === 'refused' && decision === 'replace');
    if (found.state === 'unknown' || isToReplace) {
      const isFinal = isToReplace || decision === 'write_off';
      const shown = await desk.lookUp(found.rowId, { isWaitedFor: true, isReleased: true, isFinal });
      // The service may hold the sale as it was before it was changed, so the earlier versions are looked for, too.
      const wasChanged = found.state === 'refused' && operations.watches.versions(found.rowId).length > 1;
      const isEarlierThere = wasChanged && shown === 'absent' ? await this.#options.holdsAnyVersion(found) : false;
      if (shown === 'unsure' || isEarlierThere === null) return { kind: 'books_unread', operation: found };
      const isThere = shown === 'known' || isEarlierThere;
      if (isThere) return { kind: 'not_now', operation: operations.operation(found.rowId) ?? found };
    }
    let done: { readonly outcome: Outcome | AttentionOutcome; readonly effects: StepEffects };
    try {
      done = await writer.urgent(() => {
        // Made inside, because the transaction may run twice.
        const effects: StepEffects = { touched: [], isSealedAgain: false, givenTime: null };
        const now = operations.operation(found.rowId) ?? found;
        // The books prove nothing about an operation that became unknown, or was sent again, after they were read.
        const wasRead = found.state === 'unknown' && now.updatedAtMs === found.updatedAtMs;
        const isUnread = now.state === 'unknown' && !wasRead;
        return { outcome: isUnread ? { kind: 'books_unread', operation: now } : step(now, effects), effects };
      });
    } catch (error) {
      return notSaved(error);
    }
    const { outcome, effects } = done;
    const { touched, isSealedAgain, givenTime } = effects;
    if (touched.length > 0) this.#options.onChanged(touched);
    if (outcome.kind === 'done') {
      const { audit } = this.#options;
      const who = auditedAs(decider);
      const time = givenTime === null ? {} : { occurred_at: givenTime };
      audit.note({ event: 'decided', decision, operation_id: operationId, ...time, ...who });
      if (passed !== null) audit.note(limitPassed(passed, operationId));
      if (isSealedAgain) audit.note({ event: 'operations_sealed', why: 'released', count: 1, ...who });
    }
    return outcome;
  }
}

function isRefusedForItsTime({ state, intent, error }: Operation): boolean {
  return state === 'refused' && intent === 'earn' && namesTheTime(error);
}

/** The audit log names in `by` who has proven who they are. A name that was only typed is told beside it. */
function auditedAs({ by, person }: Decider): Pick<Decided, 'by' | 'person'> {
  if (by === undefined) return { by: person };
  return { by, ...(person !== null && person !== by && { person }) };
}
