import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Identifier, identifierEntry } from '../../../shared/contract/identifier.ts';
import { maxTextLength } from '../../../shared/contract/limits.ts';
import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Delivery, OperationOrigin } from '../../store/schema/operation-values.ts';
import { parsedBody } from './row-request.ts';

/** The values that a request has, whatever else is in it. */
export interface RequestValues {
  readonly [field: string]: unknown;
  readonly card_id?: string | undefined;
  readonly amount_minor?: number | undefined;
  readonly currency?: string | undefined;
  readonly points?: number | undefined;
  readonly stamps?: number | undefined;
  readonly visits?: number | undefined;
  readonly employee_ref?: string | undefined;
}

/** A write of any kind but an earn, as a caller hands it in: checked against the contract. */
export interface ImmediateWrite {
  readonly origin: OperationOrigin;
  /** The name of the POS program's token; absent at the till's own screen. */
  readonly posName?: string;
  /** Who does it, where the body does not say it. */
  readonly employeeRef?: string;
  /** Unique per press or request. */
  readonly operationId: string;
  readonly intent: Exclude<OperationIntent, 'earn'>;
  /** Relative to `base_url`, its parameters filled in. */
  readonly path: string;
  /** Null for a call without a body. */
  readonly body: (RequestValues & object) | null;
  /** Under which the agent keeps it: the request's own, or one of ours where a request has none. */
  readonly externalRef: string;
  readonly identifier: Identifier | null;
  readonly customerName: string | null;
  /** What a reward or a coupon is called; never sent. */
  readonly givenName?: string | null;
  readonly idempotencyKey: string | null;
  readonly reversesRowId: number | null;
  /** The manager who lets it pass the limits. */
  readonly approvedBy?: string;
}

/** A write of any kind, an earn among them. */
export type AnyWrite = Omit<ImmediateWrite, 'intent'> & { readonly intent: OperationIntent };

/** When something happens, by the till's clock and by its own word. */
export interface Moment
  extends Pick<NewOperation, 'occurredAtMs' | 'occurredAtFrom' | 'businessDate' | 'tillTimeMs' | 'clockSkewMs'> {
  /** What time the till says it is. */
  readonly saidMs: number;
}

/** The one place where a row gets the columns that it is saved with. */
export function newRow(
  write: AnyWrite,
  saved: {
    readonly delivery: Delivery;
    readonly moment: Moment;
    readonly rowId: number;
    readonly monotonicMs: number;
  },
): NewOperation {
  const { delivery, moment, rowId, monotonicMs } = saved;
  const identifier = write.identifier === null ? null : identifierEntry(write.identifier);
  return {
    rowId,
    operationId: write.operationId,
    intent: write.intent,
    delivery,
    origin: write.origin,
    posName: write.posName ?? null,
    // An empty one names nobody.
    employeeRef: (write.employeeRef ?? write.body?.employee_ref) || null,
    state: 'queued',
    externalRef: write.externalRef,
    identifierKind: identifier?.kind ?? null,
    identifierValue: identifier?.value ?? null,
    customerName: write.customerName,
    givenName: write.givenName ?? null,
    givenKind: givenKindOf(write.body),
    ...valuesOf(write.body),
    occurredAtMs: moment.occurredAtMs,
    occurredAtFrom: moment.occurredAtFrom,
    businessDate: moment.businessDate,
    tillTimeMs: moment.tillTimeMs,
    monotonicMs,
    clockSkewMs: moment.clockSkewMs,
    path: write.path,
    // No body at all is kept as no bytes.
    body: write.body === null ? '' : JSON.stringify(write.body),
    idempotencyKey: write.idempotencyKey,
    savedAtMs: moment.tillTimeMs,
    reversesRowId: write.reversesRowId,
    replacesRowId: null,
  };
}

/** What may be asked again under the same reference is an operation each time: the service alone knows its answer. */
export function referenceOfEach(reference: string, operationId: string): string {
  return `${reference}#${operationId}`;
}

/** A redemption without a value of its own gives a reward, or uses up a coupon. */
function givenKindOf(body: RequestValues | null): NewOperation['givenKind'] {
  if (typeof body?.['coupon_code'] === 'string') return 'coupon';
  return body?.['reward'] === true ? 'reward' : null;
}

/** The reference as the caller gave it. */
export function askedReference(operation: { readonly externalRef: string; readonly operationId: string }): string {
  const end = referenceOfEach('', operation.operationId);
  return operation.externalRef.endsWith(end) ? operation.externalRef.slice(0, -end.length) : operation.externalRef;
}

/** The card and the values that a request names, as its row keeps them: null for what it does not name. */
export function valuesOf(body: RequestValues | null) {
  return {
    cardId: body?.card_id ?? null,
    amountMinor: body?.amount_minor ?? null,
    currency: body?.currency ?? null,
    points: body?.points ?? null,
    stamps: body?.stamps ?? null,
    visits: body?.visits ?? null,
  };
}

/** A reversal's own reference: pressed twice, from the screen and by a POS program, it is one reversal. */
export function reversalRefOf(intent: 'earn' | 'redeem', externalRef: string): string {
  return referenceThatFits(`reverse-${intent}-`, externalRef);
}

/** The reference of a reversal by the service's id, of what this agent never carried. */
export function reversalRefOfId(serviceTransactionId: string): string {
  return referenceThatFits('reverse-', serviceTransactionId);
}

/** Too long a name of the original is told by its digest. */
function referenceThatFits(start: string, original: string): string {
  const reference = start + original;
  return reference.length <= maxTextLength ? reference : start + createHash('sha256').update(original).digest('hex');
}

/** What a reference of `reversalRefOf` begins with; after it stands the original's. */
export const madeReversalRefStart = /^reverse-(?:earn|redeem)-/;

const namesOriginal = z.object({ external_ref: z.string(), intent: z.enum(['earn', 'redeem']) });

/** What the frozen body of a reversal takes back; null when it names no reference. */
export function originalOf(body: string): z.output<typeof namesOriginal> | null {
  const named = namesOriginal.safeParse(parsedBody(body));
  return named.success ? named.data : null;
}
