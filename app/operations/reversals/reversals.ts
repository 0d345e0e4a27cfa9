import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { cameToNothing, type OperationState } from '../../../shared/machines/operation.ts';
import type { Writer } from '../../store/database/writer.ts';
import { type Operation, wasTakenBackUnsent } from '../../store/schema/operation.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { type NotSaved, notSaved } from '../requests/not-saved.ts';
import { reversalRefOfId } from '../requests/reversal-reference.ts';
import type { NonEarnWrite } from '../requests/write.ts';
import { changeWithConsequences, closeTakenBack } from '../settlement/consequences.ts';
import { isReferenceFree } from '../settlement/freed-reference.ts';
import { stepWithoutSend } from '../settlement/settlement.ts';
import { standingFor } from './reversal-original.ts';
import {
  freshReversalRef,
  isOneShot,
  isReversalOf,
  type ReversalRequest,
  reversalWrite,
  reversibleIntent,
  saveReversal,
} from './reversal-row.ts';

/** Why an operation cannot be taken back. */
export type Irreversible =
  /** A claimed reward or a redeemed coupon (spec "POST /transactions/reverse"). */
  | 'one_shot'
  /** It never succeeded: the service refused it, recorded it as failed, or never got it. */
  | Extract<OperationState, 'refused' | 'failed' | 'written_off' | 'cancelled'>
  /** It makes no transaction that could be reversed. */
  | 'no_transaction'
  /** Whether it happened is not known yet. */
  | 'outcome_unknown';

/** What became of a request to take an operation back. */
export type ReverseOutcome =
  /** Nothing of it was ever at the service: it will not be sent. */
  | {
      readonly kind: 'cancelled';
      readonly reversal: Operation;
      readonly original: Operation;
      readonly duplicate: boolean;
    }
  /** A reversal is saved; it goes out after its original, when it can. `duplicate`: it was asked for before. */
  | { readonly kind: 'saved'; readonly reversal: Operation; readonly original: Operation; readonly duplicate: boolean }
  /** Somebody has to wait for this one: send `write` now. */
  | { readonly kind: 'immediate'; readonly write: NonEarnWrite; readonly original: Operation }
  | {
      readonly kind: 'irreversible';
      readonly operation: Operation;
      readonly why: Irreversible;
      /** It waited for a person, and does not any more. */
      readonly isClosed?: boolean;
    }
  /** It was taken back before, under another reference. */
  | { readonly kind: 'already'; readonly operation: Operation }
  /** The reversal's reference stands for another reversal, or for one that failed. */
  | { readonly kind: 'reference_taken'; readonly operation: Operation; readonly differingFields: readonly string[] }
  | NotSaved;

interface ReversalsOptions extends OperationStores {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly newRows: NewRows;
}

/** A request with what it is about. */
interface Asked {
  readonly original: Operation;
  readonly intent: 'earn' | 'redeem';
  readonly request: ReversalRequest;
  /** The request's own reference, or the one that is made for it. */
  readonly reversalRef: string;
}

/** Takes operations back, by the rules of the design ("Reversals"). */
export class Reversals {
  readonly #options: ReversalsOptions;

  constructor(options: ReversalsOptions) {
    this.#options = options;
  }

  /** Decided and written in one transaction: what is sent meanwhile is not cancelled. */
  async reverse(rowId: number, request: ReversalRequest): Promise<ReverseOutcome> {
    try {
      return await this.#options.writer.urgent(() => this.#decide(rowId, request));
    } catch (error) {
      return notSaved(error);
    }
  }

  #decide(rowId: number, request: ReversalRequest): ReverseOutcome {
    const { operations, rows } = this.#options;
    const named = operations.operation(rowId);
    if (named === null) throw new Error(`Operation ${rowId} is gone`);
    // A person may have put another one in its place since the program's request was read. At the screen the row is meant.
    const original = request.origin === 'bridge' ? standingFor(rows, named) : named;
    const intent = reversibleIntent(original);
    if (intent === null) return { kind: 'irreversible', operation: original, why: 'no_transaction' };
    const reversalRef = request.reversalRef ?? this.#ownReference(original, intent);
    const asked = { original, intent, request, reversalRef };
    const kept = operations.existing({ operationId: request.operationId, externalRef: reversalRef, intent: 'reverse' });
    const outcome =
      this.#byKept(asked, kept) ??
      this.#byStanding(asked, rows.reversalOf(original.rowId), kept) ??
      this.#byOriginal(asked);
    if (outcome.kind === 'irreversible' && kept !== null) this.#bind(asked, kept);
    return outcome;
  }

  /**
   * A POS program's reversal was passed on, the service knew nothing to take back, and the program hears that this till's
   * never happened. Sent again the reversal means this till's again: another till may have the reference by then.
   */
  #bind({ original, request }: Asked, kept: Operation): void {
    const cameBack = kept.state === 'cancelled' && kept.reversesRowId === null;
    if (request.origin !== 'bridge' || !cameBack || !isReversalOf(this.#options, kept, original)) return;
    this.#options.rows.linkReversal(kept.rowId, original.rowId);
  }

  /** Where the caller has none: that of a reversal by the service's id which was passed on, or one that is made. */
  #ownReference(original: Operation, intent: 'earn' | 'redeem'): string {
    const id = original.serviceTransactionId;
    const passedOn = id === null ? null : this.#options.operations.reversalByReference(reversalRefOfId(id));
    return passedOn !== null && isUnderWay(passedOn)
      ? passedOn.externalRef
      : freshReversalRef(this.#options, original, intent);
  }

  /** By what is kept under the press or under the reversal's reference. @returns null when that leaves it open */
  #byKept(asked: Asked, kept: Operation | null): ReverseOutcome | null {
    const { operations, rows } = this.#options;
    const { original, request } = asked;
    if (kept === null) return null;
    if (kept.intent !== 'reverse') return { kind: 'reference_taken', operation: kept, differingFields: ['intent'] };
    const isAnothers = !isReversalOf(this.#options, kept, original);
    if (isAnothers && isReferenceFree(this.#options.operations, kept)) return null;
    if (isAnothers) return { kind: 'reference_taken', operation: kept, differingFields: ['external_ref'] };
    // Passed on by reference it means what the service holds: another till's record, where ours never happened.
    if (kept.reversesRowId === null && neverHappened(original)) return null;
    if (kept.reversesRowId === null && rows.reversalOf(original.rowId) === null && isUnderWay(kept)) {
      // It was passed on before its original was known here.
      rows.linkReversal(kept.rowId, original.rowId);
      const step = stepWithoutSend(original, this.#options.clock.now());
      if (kept.state === 'applied') operations.change({ ...step, event: 'reverse' });
    }
    switch (kept.state) {
      case 'queued':
      case 'sending':
      case 'unknown':
        // Its caller may have gone: whoever asks now waits for the same one, and it is sent again for them.
        return kept.delivery === 'immediate'
          ? this.#immediate(asked, { ...request, operationId: kept.operationId, reversalRef: kept.externalRef })
          : { kind: 'saved', reversal: kept, original, duplicate: true };
      case 'accepted':
      case 'applied':
      case 'reversed':
        return {
          kind: 'saved',
          reversal: kept,
          original: operations.operation(original.rowId) ?? original,
          duplicate: true,
        };
      case 'failed':
      case 'written_off':
        return { kind: 'reference_taken', operation: kept, differingFields: ['reversal_failed'] };
      case 'refused':
        return null;
      case 'cancelled': {
        const isPairOver = original.state === 'reversed' || original.state === 'cancelled';
        return isPairOver && kept.delivery === 'deferred' && original.delivery === 'deferred'
          ? { kind: 'cancelled', reversal: kept, original, duplicate: true }
          : null;
      }
      default:
        return assertNever(kept.state);
    }
  }

  /** By the reversal that stands for the original, whatever its reference. @returns null when there is none */
  #byStanding(asked: Asked, standing: Operation | null, kept: Operation | null): ReverseOutcome | null {
    const { original, request } = asked;
    if (standing === null) return null;
    if (standing.state === 'refused') {
      // What the service refused does not keep anybody from asking again. Under its own reference it is replaced.
      if (standing.rowId === kept?.rowId) return null;
      const { operations, clock } = this.#options;
      const step = stepWithoutSend(standing, clock.now());
      operations.change({ ...step, event: 'dismiss', error: standing.error });
      return null;
    }
    // At the screen nobody has a reference in mind: what was asked for stands.
    const isAnyMeant = request.reversalRef === null && request.origin === 'till';
    const isBeingFoundOut =
      standing.delivery === 'immediate' && (standing.state === 'sending' || standing.state === 'unknown');
    // Under another reference it is found out for whoever asks: it may have come to nothing.
    if (!isAnyMeant) {
      return isBeingFoundOut ? this.#immediate(asked, request) : { kind: 'already', operation: original };
    }
    return isBeingFoundOut
      ? this.#immediate(asked, { ...request, operationId: standing.operationId, reversalRef: standing.externalRef })
      : { kind: 'saved', reversal: standing, original, duplicate: true };
  }

  /** Nothing takes it back yet. */
  #byOriginal(asked: Asked): ReverseOutcome {
    const { operations, clock } = this.#options;
    const { original, intent } = asked;
    switch (original.state) {
      case 'queued': {
        // Both end here: the reversal is kept, so that who asks for it again gets the same one.
        const { rowId } = this.#save(asked).reversal;
        const { attempts } = original;
        const step = stepWithoutSend({ rowId: original.rowId, attempts, maybeSent: false }, clock.now());
        changeWithConsequences(this.#options, { ...step, event: 'cancel' });
        return {
          kind: 'cancelled',
          reversal: operations.operation(rowId) ?? original,
          original: operations.operation(original.rowId) ?? original,
          duplicate: false,
        };
      }
      case 'sending':
      case 'unknown':
        return intent === 'earn'
          ? this.#save(asked)
          : { kind: 'irreversible', operation: original, why: 'outcome_unknown' };
      case 'accepted':
      case 'applied':
        // One that never happened, or of which that is not known, was not claimed.
        if (isOneShot(original)) return { kind: 'irreversible', operation: original, why: 'one_shot' };
        return intent === 'earn' ? this.#save(asked) : this.#immediate(asked, asked.request);
      case 'reversed':
        return { kind: 'already', operation: original };
      case 'cancelled':
        // One for which somebody waited never happened, nor one that was refused; one that waited was taken back.
        return wasTakenBackUnsent(original)
          ? { kind: 'already', operation: original }
          : { kind: 'irreversible', operation: original, why: 'cancelled' };
      case 'refused':
      case 'failed':
        return { kind: 'irreversible', operation: original, why: original.state, isClosed: this.#close(asked) };
      case 'written_off':
        return { kind: 'irreversible', operation: original, why: original.state };
      default:
        return assertNever(original.state);
    }
  }

  /**
   * A POS program takes back a sale that waits for a person: its own, or with a shared token another one's. At the screen
   * that person is at hand.
   */
  #close({ original, request }: Asked): boolean {
    if (request.origin !== 'bridge' || original.delivery !== 'deferred') return false;
    const { clock } = this.#options;
    const step = stepWithoutSend({ ...original, maybeSent: false }, clock.now());
    return closeTakenBack(
      this.#options,
      { ...step, error: original.error },
      { state: original.state, by: request.posName ?? null },
    );
  }

  #save({ original, intent, request, reversalRef }: Asked): Extract<ReverseOutcome, { kind: 'saved' }> {
    const row = this.#options.newRows.deferred(reversalWrite(original, { ...request, intent, reversalRef }));
    return { kind: 'saved', reversal: saveReversal(this.#options, row), original, duplicate: false };
  }

  #immediate(
    { original, intent, reversalRef }: Asked,
    request: ReversalRequest,
  ): Extract<ReverseOutcome, { kind: 'immediate' }> {
    const named = { ...request, intent, reversalRef: request.reversalRef ?? reversalRef };
    return { kind: 'immediate', original, write: reversalWrite(original, named) };
  }
}

/** It may be at the service, or is. */
function isUnderWay({ state }: Operation): boolean {
  return !cameToNothing.has(state);
}

/** The service holds nothing of it, and nobody has taken it back. */
function neverHappened(operation: Operation): boolean {
  const { state } = operation;
  if (state === 'cancelled') return !wasTakenBackUnsent(operation);
  return state === 'refused' || state === 'written_off';
}
