import type { IdentifierKind } from '../../shared/contract/identifier.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { Delivery, OperationOrigin } from './operation.ts';

/** A row about to be saved: its columns, by their names in the table. Instants are milliseconds since 1970. */
export interface NewOperation {
  readonly row_id: number;
  readonly operation_id: string;
  readonly intent: OperationIntent;
  readonly delivery: Delivery;
  readonly origin: OperationOrigin;
  /** Of the POS program's token; null at the till's own screen. */
  readonly pos_name: string | null;
  readonly state: Extract<OperationState, 'queued'>;
  readonly external_ref: string;
  readonly identifier_kind: IdentifierKind | null;
  readonly identifier_value: string | null;
  readonly customer_name: string | null;
  /** What a reward or a coupon is called; null for everything else. */
  readonly given_name: string | null;
  readonly card_id: string | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
  readonly occurred_at: number;
  readonly occurred_at_from: 'caller' | 'till';
  readonly business_date: string;
  readonly till_time: number;
  readonly monotonic_ms: number;
  readonly clock_skew_ms: number | null;
  readonly path: string;
  readonly body: string;
  readonly idempotency_key: string | null;
  readonly saved_at: number;
  readonly reverses_row_id: number | null;
  readonly replaces_row_id: number | null;
}
