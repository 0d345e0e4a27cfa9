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
  /** The operation never succeeded: the service refused it, recorded it as failed, or never got it. */
  | Extract<OperationState, 'refused' | 'failed' | 'written_off' | 'cancelled'>
  /** The operation makes no transaction that could be reversed. */
  | 'no_transaction'
  /** Nobody knows yet whether the operation happened. */
  | 'outcome_unknown';

/** What became of a request to take an operation back. */
export type ReverseOutcome =
  /** Nothing of the original was ever at the service, and it will not be sent. */
  | {
      readonly kind: 'cancelled';
      readonly reversal: Operation;
      readonly original: Operation;
      readonly duplicate: boolean;
    }
  /** A reversal is saved; it goes out after its original, when it can. `duplicate`: it was asked for before. */
  | { readonly kind: 'saved'; readonly reversal: Operation; readonly original: Operation; readonly duplicate: boolean }
  /** The caller has to wait for this reversal: send `write` now. */
  | { readonly kind: 'immediate'; readonly write: NonEarnWrite; readonly original: Operation }
  | {
      readonly kind: 'irreversible';
      readonly operation: Operation;
      readonly why: Irreversible;
      /** The operation waited for a person, and this request has closed it. */
      readonly isClosed?: boolean;
    }
  /** The operation is taken back already, under another reference. */
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

  /** Decides and writes in one transaction, so that an operation that is sent meanwhile is not cancelled. */
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
    // A person may have replaced the operation since the program's request was read. The screen means this very row.
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
   * Links a POS program's reversal that was passed on in vain to the original, when the program hears that the original never
   * happened. If the program sends the reversal again, it means this original, though another till may have the reference by
   * then.
   */
  #bind({ original, request }: Asked, kept: Operation): void {
    const cameBack = kept.state === 'cancelled' && kept.reversesRowId === null;
    if (request.origin !== 'bridge' || !cameBack || !isReversalOf(this.#options, kept, original)) return;
    this.#options.rows.linkReversal(kept.rowId, original.rowId);
  }

  /** The reference for a caller who has none: that of a reversal by the service's id that is under way, or a new one. */
  #ownReference(original: Operation, intent: 'earn' | 'redeem'): string {
    const id = original.serviceTransactionId;
    const passedOn = id === null ? null : this.#options.operations.reversalByReference(reversalRefOfId(id));
    return passedOn !== null && isUnderWay(passedOn)
      ? passedOn.externalRef
      : freshReversalRef(this.#options, original, intent);
  }

  /** Decides by the operation of the same press or of the reversal's reference. @returns null when that decides nothing */
  #byKept(asked: Asked, kept: Operation | null): ReverseOutcome | null {
    const { operations, rows } = this.#options;
    const { original, request } = asked;
    if (kept === null) return null;
    if (kept.intent !== 'reverse') return { kind: 'reference_taken', operation: kept, differingFields: ['intent'] };
    const isAnothers = !isReversalOf(this.#options, kept, original);
    if (isAnothers && isReferenceFree(this.#options.operations, kept)) return null;
    if (isAnothers) return { kind: 'reference_taken', operation: kept, differingFields: ['external_ref'] };
    // A reversal that was passed on means the service's record: another till's, where ours never happened.
    if (kept.reversesRowId === null && neverHappened(original)) return null;
    if (kept.reversesRowId === null && rows.reversalOf(original.rowId) === null && isUnderWay(kept)) {
      // The reversal was passed on before this till knew its original.
      rows.linkReversal(kept.rowId, original.rowId);
      const step = stepWithoutSend(original, this.#options.clock.now());
      if (kept.state === 'applied') operations.change({ ...step, event: 'reverse' });
    }
    switch (kept.state) {
      case 'queued':
      case 'sending':
      case 'unknown':
        // The first caller may have gone. Whoever asks now waits for the same reversal, which is sent again for them.
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

  /** Decides by the original's reversal, whatever its reference. @returns null when it has none that counts */
  #byStanding(asked: Asked, standing: Operation | null, kept: Operation | null): ReverseOutcome | null {
    const { original, request } = asked;
    if (standing === null) return null;
    if (standing.state === 'refused') {
      // A refused reversal keeps nobody from asking again. Under the same reference the new request replaces it.
      if (standing.rowId === kept?.rowId) return null;
      const { operations, clock } = this.#options;
      const step = stepWithoutSend(standing, clock.now());
      operations.change({ ...step, event: 'dismiss', error: standing.error });
      return null;
    }
    // The screen names no reference: any reversal of the original is the one that was asked for.
    const isAnyMeant = request.reversalRef === null && request.origin === 'till';
    const isBeingFoundOut =
      standing.delivery === 'immediate' && (standing.state === 'sending' || standing.state === 'unknown');
    // The reversal under the other reference may have come to nothing: the caller waits until that is found out.
    if (!isAnyMeant) {
      return isBeingFoundOut ? this.#immediate(asked, request) : { kind: 'already', operation: original };
    }
    return isBeingFoundOut
      ? this.#immediate(asked, { ...request, operationId: standing.operationId, reversalRef: standing.externalRef })
      : { kind: 'saved', reversal: standing, original, duplicate: true };
  }

  /** Decides by the original's own state, when no reversal takes it back yet. */
  #byOriginal(asked: Asked): ReverseOutcome {
    const { operations, clock } = this.#options;
    const { original, intent } = asked;
    switch (original.state) {
      case 'queued': {
        // Original and reversal both end here. The reversal is kept, so that whoever asks again gets the same one.
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
        // Asked only here: a reward or coupon counts as claimed only when it is known to have happened.
        if (isOneShot(original)) return { kind: 'irreversible', operation: original, why: 'one_shot' };
        return intent === 'earn' ? this.#save(asked) : this.#immediate(asked, asked.request);
      case 'reversed':
        return { kind: 'already', operation: original };
      case 'cancelled':
        // A cancelled operation was taken back, unless somebody waited for it or it was refused: then it never happened.
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
   * Closes a sale that waits for a person when a POS program takes it back: its own, or with a shared token another
   * program's. At the screen that person is at hand, and nothing is closed.
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

/** Whether the operation is at the service, or may be. */
function isUnderWay({ state }: Operation): boolean {
  return !cameToNothing.has(state);
}

/** Whether the service holds nothing of the operation, though nobody has taken it back. */
function neverHappened(operation: Operation): boolean {
  const { state } = operation;
  if (state === 'cancelled') return !wasTakenBackUnsent(operation);
  return state === 'refused' || state === 'written_off';
}
