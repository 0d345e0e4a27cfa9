import type { Identifier } from '../../../shared/contract/identifier.ts';
import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { OperationOrigin } from '../../store/schema/operation-values.ts';
import type { RequestValues } from './request-values.ts';

/** A write of any kind, as a caller hands it in: checked against the contract. */
export interface Write {
  readonly origin: OperationOrigin;
  /** The name of the POS program's token; absent at the till's own screen. */
  readonly posName?: string;
  /** Who does it, where the body does not say it. */
  readonly employeeRef?: string;
  /** Unique per press or request. */
  readonly operationId: string;
  readonly intent: OperationIntent;
  /** Relative to `base_url`, its parameters filled in. */
  readonly path: string;
  /** Null for a call without a body. */
  readonly body: (RequestValues & object) | null;
  /** The reference under which the agent keeps the write: the request's own, or one of ours where the request has none. */
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

/** A write of any kind but an earn. */
export interface NonEarnWrite extends Write {
  readonly intent: Exclude<OperationIntent, 'earn'>;
}
