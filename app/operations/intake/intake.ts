import { endpoints } from '../../../shared/contract/endpoints.ts';
import { keyReusedDetail } from '../../../shared/contract/errors.ts';
import type { EarnRequest } from '../../../shared/contract/transaction.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { type Clock, toInstant } from '../../../shared/lib/clock.ts';
import type { Audit } from '../../audit/audit-events.ts';
import type { Writer } from '../../store/database/writer.ts';
import { makeReference } from '../../store/rows/reference.ts';
import { newlySaved } from '../../store/rows/rows.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { DatabaseIdentity } from '../../store/tables/identity.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { KeptRequest } from '../../store/tables/row-store.ts';
import type { BusinessCalendar } from '../requests/business-date.ts';
import type { NewRows } from '../requests/new-rows.ts';
import { notSaved } from '../requests/not-saved.ts';
import { namesTheTime } from '../requests/refused-time.ts';
import { type Differences, differencesOf, isToldOtherwise } from '../requests/same-request.ts';
import { type LimitWatch, limitedValues, limitPassed, noteOfPassed } from '../requests/value-limits.ts';
import type { Write } from '../requests/write.ts';
import { isReferenceFree, takeFreedReference } from '../settlement/freed-reference.ts';
import type { NewEarn, SaveOutcome } from './save-outcome.ts';

/** What is filled in when a caller leaves it out, and the limits (settings). */
interface IntakeSettings {
  readonly referencePrefix: string;
  readonly branchRef: string;
  readonly deviceRef: string;
  readonly currency: string;
  readonly maxQueue: number;
}

interface IntakeOptions extends OperationStores {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly settings: IntakeSettings;
  readonly limits: LimitWatch;
  readonly audit: Audit;
  readonly identity: Pick<DatabaseIdentity, 'epoch' | 'runEpoch'>;
  readonly calendar: BusinessCalendar;
  readonly newRows: NewRows;
}

/** What is found under a sale's reference when it is to be saved. */
type Taken =
  | { readonly kind: 'new' }
  /** The one before was refused, and this one stands in its place. */
  | { readonly kind: 'replaced'; readonly operation: Operation }
  | { readonly kind: 'same'; readonly operation: Operation }
  | { readonly kind: 'another'; readonly operation: Operation; readonly differences: Differences }
  /** Over a limit. */
  | { readonly kind: 'refused' };

/** Whether the sale was saved by this: in a row of its own, or in that of a refused one. */
function isSaved({ kind }: Taken): boolean {
  return kind === 'new' || kind === 'replaced';
}

/**
 * Whether the same sale comes without what the service refused it for. Where another sale had used its Idempotency-Key, that
 * is the key. Where another till's record stands under its number it is nothing: with other words beside it this sale could
 * come to pass for that record.
 */
function isCorrected(standing: Operation, kept: KeptRequest, asked: NewOperation): boolean {
  if (standing.state !== 'refused') return false;
  if (standing.error?.details?.includes(keyReusedDetail) === true) return kept.idempotencyKey !== asked.idempotencyKey;
  return standing.error?.code !== 'DUPLICATE_TRANSACTION' && isToldOtherwise(kept, asked);
}

/**
 * Whether the same sale comes with the time that its caller knows, after the service refused the time that the till gave it:
 * the till may have had a wrong date, so the day says nothing. A caller that gave a time before, too, may number the sales of
 * each morning from the beginning; and what took place after the refusal is such a sale of a later day.
 */
function isGivenItsTime(
  standing: Operation,
  kept: KeptRequest,
  asked: NewOperation,
  differences: Differences,
): boolean {
  const isOfCaller = kept.occurredAtFrom === 'till' && asked.occurredAtFrom === 'caller';
  const isTimeAlone = differences.differingFields.every((field) => field === 'occurred_at');
  const isOfBefore = asked.occurredAtMs <= standing.updatedAtMs;
  return standing.state === 'refused' && namesTheTime(standing.error) && isOfCaller && isTimeAlone && isOfBefore;
}

const anothersReference: Differences = { differingFields: ['external_ref'], firstBusinessDate: null };

/** A till takes so many digits to number the sales of some years. */
const sequenceDigits = 6;

/** Takes earns: each is answered when it is on the disk, together with what arrived beside it. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  async saveEarn(earn: NewEarn): Promise<SaveOutcome> {
    const { operations, rows, writer, settings, limits } = this.#options;
    const row = this.#newRow(earn);
    const { amountMinor, points, stamps, visits } = row;
    const values = limitedValues({ amountMinor, points, stamps, visits, isOneShot: false });
    const admission = limits.admit(values, { approvedBy: earn.approvedBy });
    if (admission.kind === 'not_saved') return admission;
    const isBarred = admission.kind === 'above_limit';
    const passed = isBarred ? null : admission.passed;
    let taken: Taken | null = null;
    try {
      // Looked at inside the transaction: a burst must not overrun the queue, and a sale that is in it stays answered,
      // whatever the limits have become.
      taken = await writer.urgent(() => {
        const isFull = operations.counts.areAtLeast(settings.maxQueue, 'queued');
        const found = this.#take(row, { isRefused: isFull || isBarred, isAnothers: earn.isAnothers });
        if (passed !== null && isSaved(found)) {
          const rowId = found.kind === 'replaced' ? found.operation.rowId : row.rowId;
          rows.annotate(rowId, noteOfPassed(passed));
        }
        return found;
      });
    } catch (error) {
      return notSaved(error);
    } finally {
      if (!isBarred && (taken === null || !isSaved(taken))) limits.giveBack(values);
    }
    if (passed !== null && isSaved(taken)) this.#options.audit.note(limitPassed(passed, earn.operationId));
    switch (taken.kind) {
      case 'new':
        return { kind: 'saved', operation: newlySaved(row), duplicate: false };
      case 'replaced':
        return { kind: 'saved', operation: taken.operation, duplicate: false };
      case 'same':
        return { kind: 'saved', operation: taken.operation, duplicate: true };
      case 'another':
        return { kind: 'reference_taken', operation: taken.operation, ...taken.differences };
      case 'refused':
        return isBarred ? admission : { kind: 'queue_full', maxQueue: settings.maxQueue };
      default:
        return assertNever(taken);
    }
  }

  #take(
    row: NewOperation,
    { isRefused, isAnothers }: { readonly isRefused: boolean; readonly isAnothers: NewEarn['isAnothers'] | undefined },
  ): Taken {
    const { operations, rows, calendar } = this.#options;
    if (isAnothers !== undefined && operations.hasReference(row.externalRef)) {
      const operation = operations.operationsByReference(row.externalRef).find(isAnothers);
      if (operation !== undefined) return { kind: 'another', operation, differences: anothersReference };
    }
    const standing = isRefused ? operations.existing(row) : operations.insert(row);
    if (standing === null) return { kind: isRefused ? 'refused' : 'new' };
    const kept = rows.keptRequest(standing.rowId);
    if (kept === null) throw new Error(`Row ${standing.rowId} is gone`);
    const differences = differencesOf(kept, row, calendar);
    const isSame = differences.differingFields.length === 0;
    if (isSame && !isCorrected(standing, kept, row)) return { kind: 'same', operation: standing };
    const isOtherPress = kept.operationId !== row.operationId;
    // A receipt's number that came back with the next morning: the refused sale of before is still with a person.
    const isOfAnotherDay =
      ![null, row.businessDate].includes(differences.firstBusinessDate) &&
      !isGivenItsTime(standing, kept, row, differences);
    if (isOtherPress && !isOfAnotherDay && isReferenceFree(operations, standing)) {
      if (isRefused) return { kind: 'refused' };
      if (takeFreedReference(this.#options, standing, row)) {
        return { kind: 'replaced', operation: operations.operation(standing.rowId) ?? standing };
      }
    }
    return isSame ? { kind: 'same', operation: standing } : { kind: 'another', operation: standing, differences };
  }

  /** A reference for what is saved elsewhere; a sequence number that it takes is not given out again. */
  newReference(receiptNumber: string | null): string {
    const { newRows } = this.#options;
    const { businessDate } = newRows.moment();
    return this.#reference(receiptNumber, { businessDate, rowId: newRows.takeRowId() });
  }

  #reference(receiptNumber: string | null, row: { readonly businessDate: string; readonly rowId: number }): string {
    const { settings, identity } = this.#options;
    return makeReference({
      prefix: settings.referencePrefix,
      branchRef: settings.branchRef,
      deviceRef: settings.deviceRef,
      epoch: receiptNumber === null ? identity.runEpoch : identity.epoch,
      businessDate: row.businessDate,
      // As long as its neighbours: the index of references is then appended to, and not written all over.
      last: receiptNumber ?? String(row.rowId).padStart(sequenceDigits, '0'),
    });
  }

  #newRow(earn: NewEarn): NewOperation {
    const { newRows, settings } = this.#options;
    const { request: asked, receiptNumber } = earn;
    const rowId = newRows.takeRowId();
    const moment = newRows.moment(asked.occurred_at);
    const request: EarnRequest = {
      ...asked,
      external_ref: asked.external_ref ?? this.#reference(receiptNumber, { ...moment, rowId }),
      currency: asked.currency ?? settings.currency,
      branch_ref: asked.branch_ref ?? settings.branchRef,
      device_ref: asked.device_ref ?? settings.deviceRef,
      occurred_at: asked.occurred_at ?? toInstant(moment.saidMs),
    };
    const write: Write = {
      ...earn,
      intent: 'earn',
      path: endpoints.earn.path,
      body: request,
      externalRef: request.external_ref,
      identifier: request.identifier,
      reversesRowId: null,
    };
    return newRows.rowOf(write, { delivery: 'deferred', moment, rowId });
  }
}
