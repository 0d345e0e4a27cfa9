import type { z } from 'zod';
import { receivedErrorSchema } from '../../shared/contract/errors.ts';
import type { IdentifierKind } from '../../shared/contract/identifier.ts';
import { balancesSchema } from '../../shared/contract/profile.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { Cause } from '../../shared/till/views.ts';
import type { NewOperation } from '../operations/new-operation.ts';
import type {
  Decision,
  Delivery,
  FoundLater,
  Operation,
  OperationHistoryEntry,
  OperationOrigin,
} from '../operations/operation.ts';
import { transactionIdOf } from '../operations/reference.ts';

/** Columns of `operations` that an Operation is made from; the table's CHECKs hold the closed sets. */
export interface OperationRow {
  readonly row_id: number;
  readonly operation_id: string;
  readonly intent: OperationIntent;
  readonly origin: OperationOrigin;
  readonly pos_name: string | null;
  readonly delivery: Delivery;
  readonly state: OperationState;
  readonly external_ref: string;
  readonly identifier_kind: IdentifierKind | null;
  readonly identifier_value: string | null;
  readonly customer_name: string | null;
  readonly given_name: string | null;
  readonly card_id: string | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
  readonly occurred_at: number;
  readonly saved_at: number;
  readonly updated_at: number;
  readonly attempts: number;
  readonly maybe_sent: 0 | 1;
  readonly cause: Cause | null;
  readonly error: string | null;
  readonly service_transaction_id: string | null;
  readonly service_customer_id: string | null;
  readonly service_card_id: string | null;
  readonly new_balances: string | null;
  readonly completed_at: number | null;
  readonly decision: Decision | null;
  readonly answer: string | null;
  readonly reverses_row_id: number | null;
  readonly replaces_row_id: number | null;
  readonly found: FoundLater | null;
}

export const operationColumns = `row_id, operation_id, intent, origin, pos_name, delivery, state, external_ref, identifier_kind, identifier_value,
  customer_name, given_name, card_id, amount_minor, currency, points, stamps, visits, occurred_at, saved_at, updated_at, attempts,
  maybe_sent, cause, error, service_transaction_id, service_customer_id, service_card_id, new_balances, completed_at, decision, answer,
  reverses_row_id, replaces_row_id, found`;

export function toOperation(row: OperationRow): Operation {
  return {
    rowId: row.row_id,
    operationId: row.operation_id,
    transactionId: transactionIdOf(row.operation_id),
    intent: row.intent,
    origin: row.origin,
    posName: row.pos_name,
    delivery: row.delivery,
    state: row.state,
    externalRef: row.external_ref,
    identifier:
      row.identifier_kind === null || row.identifier_value === null
        ? null
        : { kind: row.identifier_kind, value: row.identifier_value },
    customerName: row.customer_name,
    givenName: row.given_name,
    cardId: row.card_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    points: row.points,
    stamps: row.stamps,
    visits: row.visits,
    occurredAtMs: row.occurred_at,
    savedAtMs: row.saved_at,
    updatedAtMs: row.updated_at,
    attempts: row.attempts,
    maybeSent: row.maybe_sent === 1,
    cause: row.cause,
    error: fromJson(row.error, receivedErrorSchema),
    serviceTransactionId: row.service_transaction_id,
    serviceCustomerId: row.service_customer_id,
    serviceCardId: row.service_card_id,
    newBalances: fromJson(row.new_balances, balancesSchema),
    completedAtMs: row.completed_at,
    decision: row.decision,
    answer: row.answer === null ? null : JSON.parse(row.answer),
    reversesRowId: row.reverses_row_id,
    replacesRowId: row.replaces_row_id,
    found: row.found,
  };
}

/** A row as it stands right after its insert. */
export function newlySaved(row: NewOperation): Operation {
  return toOperation({
    ...row,
    updated_at: row.saved_at,
    attempts: 0,
    maybe_sent: 0,
    cause: null,
    error: null,
    service_transaction_id: null,
    service_customer_id: null,
    service_card_id: null,
    new_balances: null,
    completed_at: null,
    decision: null,
    answer: null,
    found: null,
  });
}

/** A JSON column that no longer parses counts as absent; the row itself stays. */
function fromJson<Schema extends z.ZodType>(column: string | null, schema: Schema): z.output<Schema> | null {
  if (column === null) return null;
  const parsed = schema.safeParse(JSON.parse(column));
  return parsed.success ? parsed.data : null;
}

export interface HistoryRow {
  readonly from_state: OperationState | null;
  readonly to_state: OperationState;
  readonly at: number;
  readonly send: number;
  readonly cause: Cause | null;
  readonly http_status: number | null;
  readonly code: string | null;
  readonly request_id: string | null;
  readonly key_fingerprint: string | null;
  readonly reason: string | null;
  readonly person: string | null;
}

export function toHistoryEntry(row: HistoryRow): OperationHistoryEntry {
  return {
    from: row.from_state,
    to: row.to_state,
    atMs: row.at,
    attempt: row.send,
    cause: row.cause,
    httpStatus: row.http_status,
    code: row.code,
    requestId: row.request_id,
    keyFingerprint: row.key_fingerprint,
    reason: row.reason,
    person: row.person,
  };
}
