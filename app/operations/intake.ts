import { endpoints } from '../../shared/contract/endpoints.ts';
import { identifierEntry } from '../../shared/contract/identifier.ts';
import type { EarnRequest } from '../../shared/contract/transaction.ts';
import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import { greatestSkewMs } from '../../shared/till/limits.ts';
import type { DatabaseIdentity } from '../store/identity.ts';
import type { OperationStore } from '../store/operation-store.ts';
import { newlySaved } from '../store/rows.ts';
import type { Writer } from '../store/writer.ts';
import type { NewOperation } from './new-operation.ts';
import type { Operation } from './operation.ts';
import { makeReference } from './reference.ts';
import type { NewEarn, SaveOutcome } from './save-outcome.ts';

/** What is filled in when a caller leaves it out, and the limits (settings). */
export interface IntakeSettings {
  readonly branchRef: string;
  readonly deviceRef: string;
  readonly currency: string;
  readonly maxQueue: number;
  readonly maxAmountMinor: number;
}

export interface IntakeOptions {
  readonly store: OperationStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly settings: IntakeSettings;
  readonly identity: Pick<DatabaseIdentity, 'epoch' | 'runEpoch'>;
  readonly businessDateOf: (epochMs: number) => string;
  /** How far the service's clock is ahead of ours; null while it is not known. */
  readonly clockSkewMs: () => number | null;
}

/** Takes earns: each is answered when it is on the disk, together with what arrived beside it. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  async saveEarn(earn: NewEarn): Promise<SaveOutcome> {
    const { store, writer, settings } = this.#options;
    const row = this.#newRow(earn);
    const isAboveLimit = (row.amount_minor ?? 0) > settings.maxAmountMinor;
    let taken: { readonly existing: Operation | null; readonly isFull: boolean };
    try {
      // Looked at inside the transaction: a burst must not overrun the queue, and a sale that is in it stays answered,
      // whatever the limits have become.
      taken = await writer.urgent(() => {
        const isFull = store.counts.inTransaction('queued') >= settings.maxQueue;
        return { existing: isFull || isAboveLimit ? store.existing(row) : store.insert(row), isFull };
      });
    } catch (error) {
      return { kind: 'not_saved', message: error instanceof Error ? error.message : String(error) };
    }
    const { existing, isFull } = taken;
    if (existing === null && isAboveLimit) return { kind: 'above_limit', maxAmountMinor: settings.maxAmountMinor };
    if (existing === null && isFull) return { kind: 'queue_full', maxQueue: settings.maxQueue };
    if (existing === null) return { kind: 'saved', operation: newlySaved(row), duplicate: false };
    const differingFields = differences(existing, row);
    return differingFields.length === 0
      ? { kind: 'saved', operation: existing, duplicate: true }
      : { kind: 'reference_taken', operation: existing, differingFields };
  }

  /** A reference for what is saved elsewhere; a sequence number that it takes is not given out again. */
  newReference(receiptNumber: string | null): string {
    const { store, clock } = this.#options;
    const businessDate = this.#options.businessDateOf(clock.now());
    return this.#reference(receiptNumber, { businessDate, rowId: store.takeRowId() });
  }

  #reference(receiptNumber: string | null, row: { readonly businessDate: string; readonly rowId: number }): string {
    const { settings, identity } = this.#options;
    return makeReference({
      branchRef: settings.branchRef,
      deviceRef: settings.deviceRef,
      epoch: receiptNumber === null ? identity.runEpoch : identity.epoch,
      businessDate: row.businessDate,
      last: receiptNumber ?? String(row.rowId),
    });
  }

  #newRow(earn: NewEarn): NewOperation {
    const { store, clock, settings } = this.#options;
    const nowMs = clock.now();
    const rowId = store.takeRowId();
    const clockSkewMs = this.#options.clockSkewMs();
    // A till whose clock is known to be wrong says when it was by the service's clock; the caller's own word stands.
    const isClockWrong = Math.abs(clockSkewMs ?? 0) > greatestSkewMs;
    const tillSaysMs = isClockWrong ? nowMs + (clockSkewMs ?? 0) : nowMs;
    const occurredAtMs = earn.request.occurred_at === undefined ? tillSaysMs : Date.parse(earn.request.occurred_at);
    const businessDate = this.#options.businessDateOf(occurredAtMs);
    const request: EarnRequest = {
      ...earn.request,
      external_ref: earn.request.external_ref ?? this.#reference(earn.receiptNumber, { businessDate, rowId }),
      currency: earn.request.currency ?? settings.currency,
      branch_ref: earn.request.branch_ref ?? settings.branchRef,
      device_ref: earn.request.device_ref ?? settings.deviceRef,
      occurred_at: earn.request.occurred_at ?? toInstant(tillSaysMs),
    };
    const identifier = identifierEntry(request.identifier);
    return {
      row_id: rowId,
      operation_id: earn.operationId,
      intent: 'earn',
      delivery: 'deferred',
      origin: earn.origin,
      pos_name: earn.posName ?? null,
      state: 'queued',
      external_ref: request.external_ref,
      identifier_kind: identifier.kind,
      identifier_value: identifier.value,
      customer_name: earn.customerName,
      card_id: request.card_id ?? null,
      amount_minor: request.amount_minor ?? null,
      currency: request.currency ?? null,
      points: request.points ?? null,
      stamps: request.stamps ?? null,
      visits: request.visits ?? null,
      occurred_at: occurredAtMs,
      occurred_at_from: earn.request.occurred_at === undefined ? 'till' : 'caller',
      business_date: businessDate,
      till_time: nowMs,
      monotonic_ms: clock.monotonicMs(),
      clock_skew_ms: clockSkewMs,
      path: endpoints.earn.path,
      body: JSON.stringify(request),
      idempotency_key: earn.idempotencyKey,
      saved_at: nowMs,
      reverses_row_id: null,
      replaces_row_id: null,
    };
  }
}

/** The same reference stands for the same sale only if these agree; a field of the specification each. */
function differences(existing: Operation, row: NewOperation): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['intent', existing.intent, row.intent],
    [
      'identifier',
      existing.identifier && `${existing.identifier.kind}:${existing.identifier.value}`,
      `${row.identifier_kind}:${row.identifier_value}`,
    ],
    ['card_id', existing.cardId, row.card_id],
    ['amount_minor', existing.amountMinor, row.amount_minor],
    ['currency', existing.currency, row.currency],
    ['points', existing.points, row.points],
    ['stamps', existing.stamps, row.stamps],
    ['visits', existing.visits, row.visits],
  ];
  // An earn has no identifier once it was erased after the retention time, and its card with it.
  const isErased = existing.identifier === null;
  return pairs
    .filter(
      ([field, ours, theirs]) => ours !== theirs && !(isErased && (field === 'identifier' || field === 'card_id')),
    )
    .map(([field]) => field);
}
