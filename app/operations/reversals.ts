import { endpoints } from '../../shared/contract/endpoints.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { ImmediateStore } from '../store/immediate-store.ts';
import type { OperationStore } from '../store/operation-store.ts';
import type { Writer } from '../store/writer.ts';
import { changeWithConsequences } from './consequences.ts';
import { type ImmediateWrite, reversalRefOf } from './immediate-write.ts';
import type { NewOperation } from './new-operation.ts';
import type { Operation, OperationOrigin } from './operation.ts';
import { unchanged } from './settlement.ts';

/** Makes the row of a reversal that is sent when it can be. */
export type UndoRow = (write: ImmediateWrite) => NewOperation;

/** Why an operation cannot be taken back. */
export type Irreversible =
  /** A claimed reward or a redeemed coupon (spec "POST /transactions/reverse"). */
  | 'one_shot'
  /** The service recorded it as failed: there is nothing to take back. */
  | 'failed'
  | 'written_off'
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
  | { readonly kind: 'immediate'; readonly write: ImmediateWrite; readonly original: Operation }
  | { readonly kind: 'irreversible'; readonly operation: Operation; readonly why: Irreversible }
  /** It was taken back before. */
  | { readonly kind: 'already'; readonly operation: Operation }
  | { readonly kind: 'not_saved'; readonly message: string };

export interface ReversalRequest {
  readonly origin: OperationOrigin;
  /** The name of the POS program's token; absent at the till's own screen. */
  readonly posName?: string;
  /** Of the reversal: unique per press or request. */
  readonly operationId: string;
  /** The caller's own, if it has one. */
  readonly reversalRef: string | null;
  readonly reason: string | null;
  readonly idempotencyKey: string | null;
}

export interface ReversalsOptions {
  readonly store: OperationStore;
  readonly immediate: ImmediateStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly undoRow: UndoRow;
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
      return { kind: 'not_saved', message: error instanceof Error ? error.message : String(error) };
    }
  }

  #decide(rowId: number, request: ReversalRequest): ReverseOutcome {
    const { store, immediate, clock } = this.#options;
    const original = store.operation(rowId);
    if (original === null) throw new Error(`Operation ${rowId} is gone`);
    const intent = reversibleIntent(original);
    if (intent === null) return { kind: 'irreversible', operation: original, why: 'no_transaction' };
    const earlier = immediate.reversalOf(rowId);
    if (earlier !== null && isBeingFoundOut(earlier)) {
      // Its caller may have gone: whoever asks now waits for the same one, and it is sent again for them.
      const same = { ...request, operationId: earlier.operationId, reversalRef: earlier.externalRef };
      return { kind: 'immediate', original, write: this.#write(original, intent, same) };
    }
    if (earlier !== null) return { kind: 'saved', reversal: earlier, original, duplicate: true };
    if (isOneShot(original)) return { kind: 'irreversible', operation: original, why: 'one_shot' };
    switch (original.state) {
      case 'queued':
      case 'refused': {
        // Both end here: the reversal is kept, so that who asks for it again gets the same one.
        const saved = this.#save(original, intent, request);
        const { attempts } = original;
        const step = unchanged({ rowId, send: null, attempts, maybeSent: false }, clock.now());
        const event = original.state === 'refused' ? 'dismiss' : 'cancel';
        changeWithConsequences({ store, immediate }, { ...step, event, error: original.error });
        return { ...saved, kind: 'cancelled', original: store.operation(rowId) ?? original };
      }
      case 'sending':
      case 'unknown':
        return intent === 'earn'
          ? this.#save(original, intent, request)
          : { kind: 'irreversible', operation: original, why: 'outcome_unknown' };
      case 'accepted':
      case 'applied': {
        if (intent === 'earn') return this.#save(original, intent, request);
        return { kind: 'immediate', original, write: this.#write(original, intent, request) };
      }
      case 'cancelled':
      case 'reversed': {
        const { body, externalRef } = this.#write(original, intent, request);
        const same = store.existing({
          operation_id: request.operationId,
          external_ref: externalRef,
          intent: 'reverse',
        });
        if (same === null || body === null) return { kind: 'already', operation: original };
        return { kind: 'cancelled', reversal: same, original, duplicate: true };
      }
      case 'failed':
      case 'written_off':
        return { kind: 'irreversible', operation: original, why: original.state };
      default:
        return assertNever(original.state);
    }
  }

  #save(
    original: Operation,
    intent: 'earn' | 'redeem',
    request: ReversalRequest,
  ): Extract<ReverseOutcome, { kind: 'saved' }> {
    const { store, immediate, undoRow, clock } = this.#options;
    const row = undoRow(this.#write(original, intent, request));
    // The same reference, or the same press, again.
    const existing = store.insert(row);
    // It was dropped when its original seemed to come to nothing; the original turned out to stand.
    if (existing?.state === 'cancelled') {
      const { rowId, attempts } = existing;
      store.change({ ...unchanged({ rowId, send: null, attempts, maybeSent: false }, clock.now()), event: 'resend' });
      // Erased after the retention time: the same reference with the same original says the same.
      if (immediate.sent(rowId) === null) immediate.correct(rowId, row);
    }
    const reversal = store.operation(existing?.rowId ?? row.row_id);
    if (reversal === null) throw new Error('A reversal that was saved is not there');
    return { kind: 'saved', reversal, original, duplicate: existing !== null };
  }

  #write(original: Operation, intent: 'earn' | 'redeem', request: ReversalRequest): ImmediateWrite {
    return reversalWrite(original, intent, request, this.#options.immediate.failedReversalCount(original.rowId));
  }
}

function isBeingFoundOut({ delivery, state }: Operation): boolean {
  return delivery === 'immediate' && (state === 'sending' || state === 'unknown');
}

/** @param failedCount reversals of it that the service has recorded as failed: they have used up their references */
function reversalWrite(
  original: Operation,
  intent: 'earn' | 'redeem',
  request: ReversalRequest,
  failedCount: number,
): ImmediateWrite {
  const made = reversalRefOf(
    intent,
    failedCount === 0 ? original.externalRef : `${original.externalRef}-${failedCount + 1}`,
  );
  const reversalRef = request.reversalRef ?? made;
  const reason = request.reason === null ? {} : { reason: request.reason };
  return {
    origin: request.origin,
    ...(request.posName === undefined ? {} : { posName: request.posName }),
    operationId: request.operationId,
    intent: 'reverse',
    path: endpoints.reverse.path,
    body: { external_ref: original.externalRef, intent, reversal_ref: reversalRef, ...reason },
    externalRef: reversalRef,
    identifier: original.identifier === null ? null : { [original.identifier.kind]: original.identifier.value },
    customerName: original.customerName,
    idempotencyKey: request.idempotencyKey,
    reversesRowId: original.rowId,
  };
}

/** The reversal that follows when an operation turns out to have happened though somebody was told that it would not. */
export function undo(
  stores: { readonly store: OperationStore; readonly immediate: ImmediateStore },
  undoRow: UndoRow,
  original: Operation,
  operationId: string,
  reason = 'paid in full',
): readonly number[] {
  const intent = reversibleIntent(original);
  if (intent === null || isOneShot(original) || stores.immediate.reversalOf(original.rowId) !== null) return [];
  const nobodys = { reversalRef: null, reason, idempotencyKey: null };
  const { origin, posName } = original;
  const request = { origin, ...(posName === null ? {} : { posName }), operationId, ...nobodys };
  const row = undoRow(reversalWrite(original, intent, request, stores.immediate.failedReversalCount(original.rowId)));
  return stores.store.insert(row) === null ? [row.row_id] : [];
}

/** Claimed rewards and redeemed coupons have no reversal (spec "POST /transactions/reverse"). */
export function isOneShot(operation: Operation): boolean {
  if (operation.intent !== 'redeem') return false;
  const { amountMinor, points, stamps, visits } = operation;
  return amountMinor === null && points === null && stamps === null && visits === null;
}

/** The side of the receipt that an operation stands for; null for one that makes no reversible transaction. */
export function reversibleIntent(operation: Operation): 'earn' | 'redeem' | null {
  switch (operation.intent) {
    case 'earn':
      return 'earn';
    case 'redeem':
    case 'commit':
      return 'redeem';
    case 'reverse':
    case 'enroll':
    case 'verify':
    case 'reserve':
    case 'release':
      return null;
    default:
      return assertNever(operation.intent);
  }
}
