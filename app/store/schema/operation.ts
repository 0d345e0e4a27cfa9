import type { ReceivedError } from '../../../shared/contract/errors.ts';
import type { IdentifierKind } from '../../../shared/contract/identifier.ts';
import type { ToldBalances } from '../../../shared/contract/profile.ts';
import type { OperationState } from '../../../shared/machines/operation.ts';
import type { Cause } from '../../../shared/till/views.ts';
import type { innerColumns, operations } from './schema.ts';

type Row = typeof operations.$inferSelect;

/** What a customer gets or gives. Amounts in minor units. */
export type OperationValues = Readonly<Pick<Row, 'amountMinor' | 'currency' | 'points' | 'stamps' | 'visits'>>;

type ToldAsItIs = Omit<
  Row,
  (typeof innerColumns)[number] | 'identifierKind' | 'identifierValue' | 'error' | 'newBalances'
>;

/** One write to the service and all that the agent knows of it. What is not here is as it stands in its row. */
export interface Operation extends Readonly<ToldAsItIs> {
  /** `txn_local_...`: this operation's id in every answer of the bridge. */
  readonly transactionId: string;
  /** When the request was saved that stands in the row now: an earlier one may have left it. */
  readonly requestedAtMs: number;
  /** Null once erased after the retention time. */
  readonly identifier: { readonly kind: IdentifierKind; readonly value: string } | null;
  readonly error: ReceivedError | null;
  /** As the service told them; what the screen knows of them is `readBalances`. */
  readonly newBalances: ToldBalances | null;
}

/** It was taken back before any byte of it was sent: any other one that is cancelled never happened. */
export function wasTakenBackUnsent({ state, delivery, error }: Operation): boolean {
  return state === 'cancelled' && delivery === 'deferred' && error === null;
}

/** One line of an operation's history, as the view `operation_history` tells it. */
export interface OperationHistoryEntry {
  readonly from: OperationState | null;
  readonly to: OperationState;
  readonly atMs: number;
  /** The number of the send that it is about: the first is 1; 0 before it. */
  readonly send: number;
  readonly cause: Cause | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly keyFingerprint: string | null;
  /** What a person said who decided it, and who that was. */
  readonly reason: string | null;
  readonly person: string | null;
}
