import type { ReceivedError } from '../../../shared/contract/errors.ts';
import type { ToldBalances } from '../../../shared/contract/profile.ts';
import type { OperationEvent } from '../../../shared/machines/operation.ts';
import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { Cause } from '../../../shared/till/views.ts';

/** A row with what sending it takes. */
export interface SendableOperation extends WaitingKey {
  /** Rows of one lane are never in flight together: one lane per customer identifier. */
  readonly lane: string;
  readonly intent: OperationIntent;
  readonly externalRef: string;
  readonly path: string;
  /** The frozen bytes. */
  readonly body: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly maybeSent: boolean;
  /** The key of the last send; null before the first. */
  readonly lastKeyFingerprint: string | null;
  /** The number of the send that a mark starts. */
  readonly send: number;
  readonly operationId: string;
  /** How often the request was changed, and 1. */
  readonly bodyVersion: number;
  /** What the till has sealed its request with (see SealStore); null when it has not. */
  readonly seal: Buffer | null;
}

/** One step of an operation's life, to be recorded with its history line in one commit. */
export interface OperationChange {
  readonly rowId: number;
  readonly event: OperationEvent;
  readonly atMs: number;
  /**
   * The send that this is about: an answer to an older one never overwrites what a newer one has learned. Null when
   * it is about none.
   */
  readonly send: number | null;
  readonly cause: Cause | null;
  readonly error: ReceivedError | null;
  readonly httpStatus: number | null;
  readonly requestId: string | null;
  readonly attempts: number;
  readonly maybeSent: boolean;
  readonly nextAttemptAtMs: number;
  readonly serviceTransactionId: string | null;
  readonly serviceCustomerId: string | null;
  readonly serviceCardId: string | null;
  readonly newBalances: ToldBalances | null;
  readonly completedAtMs: number | null;
  /** Of a refused reversal: the service's books show what it was to take back as reversed. */
  readonly isOriginalReversed?: true;
  /** Of a refused sale: it goes out once more with this time, before a person has to decide. */
  readonly againAt?: ChangedInstant;
}

/** Another time for a sale, in milliseconds since 1970, and its request with that time. */
export interface ChangedInstant {
  readonly occurredAtMs: number;
  /** The business day of that time, such as 2026-11-20. */
  readonly businessDate: string;
  readonly body: string;
  /** By how much the service's clock was ahead of the till's when that was reckoned, in milliseconds. */
  readonly skewMs: number;
}

/** Where a keyset page goes on. */
export interface WaitingKey {
  readonly occurredAtMs: number;
  readonly rowId: number;
}

/** An accepted row with what polling it takes. */
export interface AcceptedOperation extends WaitingKey, Pick<SendableOperation, 'intent' | 'externalRef' | 'path'> {
  /** The frozen bytes; null once they were erased. */
  readonly body: string | null;
  readonly serviceTransactionId: string;
  readonly send: number;
  readonly attempts: number;
  readonly updatedAtMs: number;
}
