import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { IdentifierKind } from '../../shared/contract/identifier.ts';
import type { Balances } from '../../shared/contract/profile.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { Cause } from '../../shared/till/views.ts';

/** Who asked for it: the cashier's screen, or a POS program over the bridge. */
export const operationOrigins = ['till', 'bridge'] as const;
export type OperationOrigin = (typeof operationOrigins)[number];

/** Deferred: answered when saved, sent when possible. Immediate: someone waits for the service's answer. */
export const deliveries = ['deferred', 'immediate'] as const;
export type Delivery = (typeof deliveries)[number];

/** Who said when it happened. */
export const instantSources = ['caller', 'till'] as const;

/**
 * What was decided while the outcome was not known: `take_full_payment` will not be sent again and is undone should the
 * service hold it; `give_it` is finished when the line is back.
 */
export const decisions = ['take_full_payment', 'give_it'] as const;
export type Decision = (typeof decisions)[number];

/**
 * What the service's books showed of an operation after the till had said that they hold nothing of it: it stands, or
 * it stands as it was before somebody corrected it. A person decides whether it is kept.
 */
export const foundLater = ['stands', 'earlier_version'] as const;
export type FoundLater = (typeof foundLater)[number];

/** What a customer gets or gives. Amounts in minor units. */
export interface OperationValues {
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
}

/** One write to the service and all that the agent knows of it. */
export interface Operation extends OperationValues {
  /** Place in the order of saving; the key of the row. */
  readonly rowId: number;
  /** The caller's id of the press or the request: the same id is the same operation. */
  readonly operationId: string;
  /** `txn_local_...`: this operation's id in every answer of the bridge. */
  readonly transactionId: string;
  readonly intent: OperationIntent;
  readonly origin: OperationOrigin;
  /** The POS program that it came from, by its token's name; null at the till's own screen, or when that was not kept. */
  readonly posName: string | null;
  readonly delivery: Delivery;
  readonly state: OperationState;
  readonly externalRef: string;
  /** Null once erased after the retention time. */
  readonly identifier: { readonly kind: IdentifierKind; readonly value: string } | null;
  readonly customerName: string | null;
  /** What a reward or a coupon is called, in the card's own words; null for everything else. Never sent. */
  readonly givenName: string | null;
  readonly cardId: string | null;
  /** What the row says happened when, in milliseconds since 1970: sent as `occurred_at`. */
  readonly occurredAtMs: number;
  readonly savedAtMs: number;
  readonly updatedAtMs: number;
  /** Sends that counted against the row. */
  readonly attempts: number;
  /** True once any attempt may have reached the service and no proof of the contrary came. */
  readonly maybeSent: boolean;
  readonly cause: Cause | null;
  readonly error: ReceivedError | null;
  readonly serviceTransactionId: string | null;
  /** Whom the service found behind the identifier, once it has applied the operation. */
  readonly serviceCustomerId: string | null;
  /** The card that the service chose, when the caller named none. */
  readonly serviceCardId: string | null;
  readonly newBalances: Balances | null;
  /** When the service had applied it, in milliseconds since 1970. */
  readonly completedAtMs: number | null;
  readonly decision: Decision | null;
  /** What the service answered to an immediate write, as JSON; null before, and for deferred ones. */
  readonly answer: unknown;
  /** A reversal's original, when that is one of ours. */
  readonly reversesRowId: number | null;
  /** The operation in whose place this one stands, after the service had recorded that one as failed. */
  readonly replacesRowId: number | null;
  /** Null: there is nothing to decide about it. */
  readonly found: FoundLater | null;
}

/** One line of an operation's history, as it is kept in `operation_events`. */
export interface OperationHistoryEntry {
  readonly from: OperationState | null;
  readonly to: OperationState;
  readonly atMs: number;
  readonly attempt: number;
  readonly cause: Cause | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly keyFingerprint: string | null;
  /** What a person said who decided it, and who that was. */
  readonly reason: string | null;
  readonly person: string | null;
}
