import { type Problem, validate } from '../../shared/contract/problems.ts';
import { type EarnRequest, earnRequestSchema } from '../../shared/contract/transaction.ts';
import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { Audit, AuditEvent } from '../audit/audit-events.ts';
import type { Writer } from '../store/database/writer.ts';
import type { NewOperation } from '../store/schema/new-operation.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { OperationStores } from '../store/tables/operation-stores.ts';
import type { ClockCorrection } from './delivery/clock-correction.ts';
import type { Desk } from './immediate/desk.ts';
import { isHeldAsChanged } from './immediate/held-as-changed.ts';
import type { NewRows } from './requests/new-rows.ts';
import { type NotSaved, notSaved } from './requests/not-saved.ts';
import { valuesOf } from './requests/request-values.ts';
import { isUnreadable, parsedBody } from './requests/row-request.ts';
import { type AboveLimit, type LimitWatch, limitedValues, raisedBy } from './requests/value-limits.ts';
import { changeWithConsequences } from './settlement/consequences.ts';
import { changedOnDisk, stepWithoutSend } from './settlement/settlement.ts';
import { takeBack } from './watch/late-success.ts';

/** What a person may change of a sale that the service has refused. */
export type Correction = Partial<
  Pick<
    EarnRequest,
    'identifier' | 'card_id' | 'amount_minor' | 'currency' | 'points' | 'stamps' | 'visits' | 'branch_ref'
  >
>;

/** Who decides, and why; both stand in the operation's history. */
export interface Decider {
  readonly person: string | null;
  readonly reason: string;
  /** Who gives the command that decides (`store IT (user)`): `person` is then a name that was only typed. */
  readonly by?: string;
}

/** Who decides about a correction, and whether it may pass a limit. */
export interface CorrectDecider extends Decider {
  /** The person is a manager, who lets the correction pass a limit of the settings. */
  readonly isApproved?: boolean;
}

/** What became of a person's decision. */
export type AttentionOutcome =
  | { readonly kind: 'done'; readonly operation: Operation }
  /** The operation does not wait for this decision; its state says why. */
  | { readonly kind: 'not_now'; readonly operation: Operation }
  /** The service's books cannot be read now, so nobody knows what the service holds of the operation. */
  | { readonly kind: 'books_unread'; readonly operation: Operation }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not_found' }
  | NotSaved;

interface AttentionOptions extends OperationStores {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly newRows: NewRows;
  /** Looks a row up in the service's books. */
  readonly desk: Pick<Desk, 'lookUp'>;
  /** Makes the time of a sale anew that is sent again; null while the agent is stopped and no answer tells the time. */
  readonly correction: Pick<ClockCorrection, 'again'> | null;
  /** Whether a row stands at the service as it is, or as it was before it was changed; null when nobody knows. */
  readonly holdsAnyVersion: (operation: Operation) => Promise<boolean | null>;
  readonly audit: Audit;
  /** The limits that a correction must keep; null where nobody corrects a sale. */
  readonly limits: Pick<LimitWatch, 'take' | 'giveBack'> | null;
  readonly onChanged: (rowIds: readonly number[]) => void;
}

/** What became of a replacement: the reference that a person entered for it may be another sale's. */
export type ReplaceOutcome = AttentionOutcome | { readonly kind: 'reference_taken'; readonly operation: Operation };

/** What became of a correction: the limits of the settings bind it as they bind a sale. */
export type CorrectOutcome = ReplaceOutcome | { readonly kind: 'above_limit'; readonly limit: AboveLimit };

type Decided = Extract<AuditEvent, { event: 'decided' }>;

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
  resend(operationId: string, decider: Decider): Promise<AttentionOutcome> {
    return this.#decide(operationId, { decision: 'resend', decider }, (operation, effects) => {
      const { operations, rows } = this.#options;
      // The queue carries no immediate operation: the resolver sends this one, if somebody chose to give it.
      if (operation.delivery === 'immediate' && isHeldAsChanged(this.#options, operation)) {
        operations.seals.sealAgain(operation.rowId);
        effects.isReleased = true;
        rows.annotate(operation.rowId, decider);
        return this.#done(operation, effects);
      }
      // A cancelled operation was taken back: only a new request may take its place.
      if (operation.state === 'cancelled') return { kind: 'not_now', operation };
      const event = operation.state === 'unknown' ? 'prove_absent' : 'resend';
      const frozen = rows.sent(operation.rowId)?.body ?? null;
      if (isUnreadable(frozen)) return unreadable;
      const isErased = frozen === null;
      const isDeferred = operation.delivery === 'deferred';
      if (isErased || !isDeferred || operations.change({ ...this.#step(operation), event }) === null) {
        return { kind: 'not_now', operation };
      }
      if (operation.error?.code === changedOnDisk.code) {
        // The person was told that the request was changed on the disk, and releases it as it is now.
        operations.seals.sealAgain(operation.rowId);
        effects.isReleased = true;
      } else if (operation.state === 'refused') {
        const instant = this.#options.correction?.again(operation.rowId, operation.error) ?? null;
        if (instant !== null) rows.changeInstant(operation.rowId, instant);
      }
      rows.annotate(operation.rowId, decider);
      return this.#done(operation, effects);
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
    const { isApproved = false } = decider;
    let above: AboveLimit | null;
    try {
      above = limits.take(values, { isApproved, ofHour });
    } catch (error) {
      return notSaved(error);
    }
    if (above !== null && !isApproved) return { kind: 'above_limit', limit: above };
    const outcome = await this.#correct(operationId, correction, { decider, above });
    if (outcome.kind !== 'done') limits.giveBack(ofHour);
    return outcome;
  }

  #correct(
    operationId: string,
    correction: Correction,
    { decider, above }: { readonly decider: CorrectDecider; readonly above: AboveLimit | null },
  ): Promise<ReplaceOutcome> {
    const passes = above === null ? {} : { passes: above.name };
    return this.#decide<ReplaceOutcome>(
      operationId,
      { decision: 'correct', decider, ...passes },
      (operation, effects) => {
        const { operations, rows } = this.#options;
        if (operation.state === 'failed') {
          return this.#putInPlace(operation, effects, { decider, reference: null, correction });
        }
        const frozen = rows.sent(operation.rowId)?.body;
        if (operation.state !== 'refused' || operation.intent !== 'earn' || frozen === undefined) {
          return { kind: 'not_now', operation };
        }
        const request = parsedBody(frozen);
        if (request === null) return unreadable;
        const isTold = operation.error?.code === changedOnDisk.code;
        if (!isTold && !isWhole(this.#options, operation)) return { kind: 'not_now', operation };
        const corrected = validate(earnRequestSchema, { ...request, ...correction });
        if (corrected.kind === 'invalid') return corrected;
        const { rowId, error } = operation;
        const saved = rows.clockAtSave(rowId);
        const instant = this.#options.correction?.again(rowId, error) ?? null;
        if (saved === null) return { kind: 'not_now', operation };
        const changed = operations.change({ ...this.#step(operation), event: 'resend' });
        if (changed === null) return { kind: 'not_now', operation };
        effects.isReleased = isTold;
        rows.annotate(rowId, decider);
        const time = instant === null ? {} : { occurred_at: toInstant(instant.occurredAtMs) };
        rows.correct(rowId, {
          body: JSON.stringify({ ...corrected.value, ...time }),
          ...valuesOf(corrected.value),
          occurredAtMs: instant?.occurredAtMs ?? saved.occurredAtMs,
          businessDate: instant?.businessDate ?? saved.businessDate,
          clockSkewMs: instant?.skewMs ?? saved.skewMs,
        });
        return this.#done(operation, effects);
      },
    );
  }

  /**
   * Puts a new operation in the place of one whose reference is used up: the service recorded the sale as failed, or holds
   * another till's sale under the reference.
   *
   * @param reference the new operation's; null: made from the old one's
   */
  replace(operationId: string, decider: Decider, reference: string | null = null): Promise<ReplaceOutcome> {
    return this.#decide<ReplaceOutcome>(operationId, { decision: 'replace', decider }, (operation, effects) =>
      this.#putInPlace(operation, effects, { decider, reference, correction: null }),
    );
  }

  #putInPlace(
    operation: Operation,
    effects: StepEffects,
    asked: { readonly decider: Decider; readonly reference: string | null; readonly correction: Correction | null },
  ): ReplaceOutcome {
    const { operations, rows, clock } = this.#options;
    const { decider, reference, correction } = asked;
    const earlier = rows.replacementOf(operation.rowId);
    if (earlier !== null) return { kind: 'done', operation: earlier };
    const source = rows.rowToCopy(operation.rowId);
    const isUsedUp = operation.state === 'failed' || isReferenceTaken(operation);
    if (!isUsedUp || operation.intent !== 'earn' || source === null || source.body === '') {
      return { kind: 'not_now', operation };
    }
    const request = parsedBody(source.body);
    if (request === null) return unreadable;
    if (!isWhole(this.#options, operation)) return { kind: 'not_now', operation };
    const externalRef = reference ?? nextReference(operation);
    const body = { ...request, ...correction, external_ref: externalRef };
    const corrected = correction === null ? null : validate(earnRequestSchema, body);
    if (corrected?.kind === 'invalid') return corrected;
    const row: NewOperation = {
      ...source,
      ...(corrected === null ? {} : valuesOf(corrected.value)),
      rowId: operations.takeRowId(),
      operationId: this.#options.newRows.newOperationId(),
      externalRef,
      // An Idempotency-Key belongs to one request: the old operation's is used.
      idempotencyKey: null,
      body: JSON.stringify(corrected?.value ?? body),
      savedAtMs: clock.now(),
      replacesRowId: operation.rowId,
    };
    const existing = operations.insert(row);
    if (existing !== null) return { kind: reference === null ? 'not_now' : 'reference_taken', operation: existing };
    operations.change({ ...this.#step(operation), event: 'write_off' });
    const reason = `${decider.reason} (replaced by ${externalRef})`;
    rows.annotate(operation.rowId, { ...decider, reason });
    effects.touched.push(operation.rowId, row.rowId);
    return { kind: 'done', operation: operations.operation(row.rowId) ?? operation };
  }

  /** Writes an operation off; its history tells the reason. */
  writeOff(operationId: string, decider: Decider): Promise<AttentionOutcome> {
    return this.#decide(operationId, { decision: 'write_off', decider }, (operation, effects) => {
      const { operations, rows } = this.#options;
      const step = { ...this.#step(operation), event: 'write_off' as const };
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

  #decideFound(operation: Operation, decider: Decider, effects: StepEffects): AttentionOutcome {
    const { operations, rows } = this.#options;
    operations.watches.setFound(operation.rowId, null);
    rows.annotate(operation.rowId, decider);
    return this.#done(operation, effects);
  }

  async #decide<Outcome extends { readonly kind: string } = AttentionOutcome>(
    operationId: string,
    { decision, decider, passes }: Pick<Decided, 'decision'> & { readonly decider: Decider; readonly passes?: string },
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
      const shown = await desk.lookUp(found.rowId, { isReleased: true, isFinal });
      // The service may hold the sale as it was before it was changed, so the earlier versions are looked for, too.
      const wasChanged = found.state === 'refused' && operations.watches.versions(found.rowId).length > 1;
      const heldEarlier = wasChanged && shown === 'absent' ? await this.#options.holdsAnyVersion(found) : false;
      if (shown === 'unsure' || heldEarlier === null) return { kind: 'books_unread', operation: found };
      const isHeld = shown === 'known' || heldEarlier;
      if (isHeld) return { kind: 'not_now', operation: operations.operation(found.rowId) ?? found };
    }
    let done: { readonly outcome: Outcome | AttentionOutcome; readonly effects: StepEffects };
    try {
      done = await writer.urgent(() => {
        // Made inside, because the transaction may run twice.
        const effects: StepEffects = { touched: [], isReleased: false };
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
    const { touched, isReleased } = effects;
    if (touched.length > 0) this.#options.onChanged(touched);
    if (outcome.kind === 'done') {
      const { audit } = this.#options;
      const who = auditedAs(decider);
      audit.note({ event: 'decided', decision, operation_id: operationId, ...who });
      if (passes !== undefined)
        audit.note({ event: 'limit_passed', limit: passes, operation_id: operationId, by: who.by });
      if (isReleased) audit.note({ event: 'operations_sealed', why: 'released', count: 1, ...who });
    }
    return outcome;
  }

  #done({ rowId }: Operation, { touched }: StepEffects): AttentionOutcome {
    touched.push(rowId);
    const operation = this.#options.operations.operation(rowId);
    return operation === null ? { kind: 'not_found' } : { kind: 'done', operation };
  }

  #step({ rowId, attempts, error }: Operation) {
    return { ...stepWithoutSend({ rowId, attempts, maybeSent: false }, this.#options.clock.now()), error };
  }
}

/** What a step has done beside its outcome. It is told after the commit. */
interface StepEffects {
  /** Rows that the step has changed. */
  readonly touched: number[];
  /** The step has sealed a request again that was changed on the disk. */
  isReleased: boolean;
}

/** The saved request cannot be read, so nobody knows what would go out. The receipt tells what was sold. */
const unreadable: Extract<AttentionOutcome, { kind: 'invalid' }> = {
  kind: 'invalid',
  problems: [
    {
      field: 'request',
      problem: 'cannot be read any more: write it off, and enter the sale from its receipt under another reference',
    },
  ],
};

/** Whether the service refused an operation only because its reference is taken. */
function isReferenceTaken({ state, error }: Operation): boolean {
  return state === 'refused' && error?.code === 'DUPLICATE_TRANSACTION';
}

/** The audit log names in `by` who has proven who they are. A name that was only typed is told beside it. */
function auditedAs({ by, person }: Decider): Pick<Decided, 'by' | 'person'> {
  if (by === undefined) return { by: person };
  return { by, ...(person !== null && person !== by && { person }) };
}

/** Whether a row's request is as this till saved it, so that another one may be made from it. */
function isWhole({ operations, rows }: OperationStores, { rowId }: Operation): boolean {
  const sent = rows.sent(rowId);
  return sent !== null && operations.seals.isWhole(sent);
}

/** `R-7`, `R-7-2`, `R-7-3`: the number at the end is counted up only where this till has added it. */
function nextReference({ externalRef, replacesRowId }: Operation): string {
  const ours = replacesRowId === null ? null : /^(.*)-(\d+)$/.exec(externalRef);
  return ours === null ? `${externalRef}-2` : `${ours[1]}-${Number(ours[2]) + 1}`;
}
