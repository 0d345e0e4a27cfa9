import { validate } from '../../shared/contract/problems.ts';
import { earnRequestSchema } from '../../shared/contract/transaction.ts';
import { type Clock, toInstant } from '../../shared/lib/clock.ts';
import type { NewOperation } from '../store/schema/new-operation.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { OperationStores } from '../store/tables/operation-stores.ts';
import {
  type CorrectDecider,
  type Correction,
  type Decider,
  type ReplaceOutcome,
  unreadable,
} from './attention-outcome.ts';
import { carriedOut, decidedStep, type Step } from './attention-step.ts';
import type { ClockCorrection } from './delivery/clock-correction.ts';
import type { NewRows } from './requests/new-rows.ts';
import { valuesOf } from './requests/request-values.ts';
import { parsedBody } from './requests/row-request.ts';
import { changedOnDisk } from './settlement/settlement.ts';

export interface CorrectionParts extends OperationStores {
  readonly clock: Clock;
  readonly newRows: Pick<NewRows, 'newOperationId'>;
  /** Makes the time of a sale anew that is sent again; null while the agent is stopped and no answer tells the time. */
  readonly correction: Pick<ClockCorrection, 'again'> | null;
}

/**
 * Corrects a refused sale in its own row, under the same reference. A failed sale has used up its reference: a new
 * operation takes its place. Runs inside a transaction of the Writer.
 */
export function correctSale(
  parts: CorrectionParts,
  step: Step,
  { decider, correction }: { readonly decider: CorrectDecider; readonly correction: Correction },
): ReplaceOutcome {
  const { operations, rows, clock } = parts;
  const { operation, effects } = step;
  if (operation.state === 'failed') return putInPlace(parts, step, { decider, reference: null, correction });
  const frozen = rows.sent(operation.rowId)?.body;
  if (operation.state !== 'refused' || operation.intent !== 'earn' || frozen === undefined) {
    return { kind: 'not_now', operation };
  }
  // Another screen may have corrected it: what is kept would not be what the person has seen.
  if ((decider.seenVersion ?? operation.version) !== operation.version) return { kind: 'not_now', operation };
  const request = parsedBody(frozen);
  if (request === null) return unreadable;
  const isTold = operation.error?.code === changedOnDisk.code;
  if (!isTold && !isWhole(parts, operation)) return { kind: 'not_now', operation };
  const corrected = validate(earnRequestSchema, { ...request, ...correction });
  if (corrected.kind === 'invalid') return corrected;
  const { rowId, error } = operation;
  const saved = rows.clockAtSave(rowId);
  const instant = parts.correction?.again(rowId, error) ?? null;
  if (saved === null) return { kind: 'not_now', operation };
  const changed = operations.change({ ...decidedStep(operation, clock.now()), event: 'resend' });
  if (changed === null) return { kind: 'not_now', operation };
  effects.isSealedAgain = isTold;
  rows.annotate(rowId, decider);
  const time = instant === null ? {} : { occurred_at: toInstant(instant.occurredAtMs) };
  rows.correct(rowId, {
    body: JSON.stringify({ ...corrected.value, ...time }),
    ...valuesOf(corrected.value),
    occurredAtMs: instant?.occurredAtMs ?? saved.occurredAtMs,
    businessDate: instant?.businessDate ?? saved.businessDate,
    clockSkewMs: instant?.skewMs ?? saved.skewMs,
  });
  return carriedOut(operations, operation, effects);
}

/**
 * Puts a new operation in the place of one whose reference is used up. Runs inside a transaction of the Writer.
 *
 * @param asked.reference the new operation's; null: made from the old one's
 */
export function putInPlace(
  parts: CorrectionParts,
  { operation, effects }: Step,
  asked: { readonly decider: Decider; readonly reference: string | null; readonly correction: Correction | null },
): ReplaceOutcome {
  const { operations, rows, clock, newRows } = parts;
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
  if (!isWhole(parts, operation)) return { kind: 'not_now', operation };
  const externalRef = reference ?? nextReference(operation);
  const body = { ...request, ...correction, external_ref: externalRef };
  const corrected = correction === null ? null : validate(earnRequestSchema, body);
  if (corrected?.kind === 'invalid') return corrected;
  const row: NewOperation = {
    ...source,
    ...(corrected === null ? {} : valuesOf(corrected.value)),
    rowId: operations.takeRowId(),
    operationId: newRows.newOperationId(),
    externalRef,
    // An Idempotency-Key belongs to one request: the old operation's is used.
    idempotencyKey: null,
    body: JSON.stringify(corrected?.value ?? body),
    savedAtMs: clock.now(),
    replacesRowId: operation.rowId,
  };
  const existing = operations.insert(row);
  if (existing !== null) return { kind: reference === null ? 'not_now' : 'reference_taken', operation: existing };
  operations.change({ ...decidedStep(operation, clock.now()), event: 'write_off' });
  const reason = `${decider.reason} (replaced by ${externalRef})`;
  rows.annotate(operation.rowId, { ...decider, reason });
  effects.touched.push(operation.rowId, row.rowId);
  return { kind: 'done', operation: operations.operation(row.rowId) ?? operation };
}

/** Whether the service refused an operation only because its reference is taken. */
function isReferenceTaken({ state, error }: Operation): boolean {
  return state === 'refused' && error?.code === 'DUPLICATE_TRANSACTION';
}

/** Whether a row's request is as this till saved it, so that another one may be made from it. */
function isWhole({ operations, rows }: OperationStores, { rowId }: Operation): boolean {
  const sent = rows.sent(rowId);
  return sent !== null && operations.seals.isSealIntact(sent);
}

/** `R-7`, `R-7-2`, `R-7-3`: the number at the end is counted up only where this till has added it. */
function nextReference({ externalRef, replacesRowId }: Operation): string {
  const ours = replacesRowId === null ? null : /^(.*)-(\d+)$/.exec(externalRef);
  return ours === null ? `${externalRef}-2` : `${ours[1]}-${Number(ours[2]) + 1}`;
}
