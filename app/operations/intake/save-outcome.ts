import type { EarnRequest } from '../../../shared/contract/transaction.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationOrigin } from '../../store/schema/operation-values.ts';
import type { NotSaved } from '../requests/not-saved.ts';
import type { Differences } from '../requests/same-request.ts';
import type { AboveLimit } from '../requests/value-limits.ts';

/** An earn as a caller hands it in; what is left out is filled from the settings and the clock. */
export interface NewEarn {
  readonly origin: OperationOrigin;
  /** The name of the POS program's token; absent at the till's own screen. */
  readonly posName?: string;
  /** Unique per press or request. The bridge makes one itself: there the reference is the anchor. */
  readonly operationId: string;
  readonly request: Omit<EarnRequest, 'external_ref'> & { readonly external_ref?: string | undefined };
  readonly customerName: string | null;
  /** Typed at the till: the last part of the reference that is made when `request.external_ref` is absent. */
  readonly receiptNumber: string | null;
  /** Passed on to the service with every attempt. */
  readonly idempotencyKey: string | null;
  /** The manager who lets it pass the limits. */
  readonly approvedBy?: string;
  /**
   * Whether an operation that has the reference already, of whichever kind, is none of the caller's: nothing is saved then.
   * Asked within the commit, so that nobody comes between. Absent where everything is the caller's.
   */
  readonly isAnothers?: (standing: Operation) => boolean;
}

/** What became of an earn that was to be saved. Only `saved` means that the sale is taken. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly operation: Operation; readonly duplicate: boolean }
  | ({ readonly kind: 'reference_taken'; readonly operation: Operation } & Differences)
  | { readonly kind: 'above_limit'; readonly limit: AboveLimit }
  | { readonly kind: 'queue_full'; readonly maxQueue: number }
  | NotSaved;

/** What became of taking an operation back. */
export type CancelOutcome =
  | { readonly kind: 'cancelled'; readonly operation: Operation }
  | { readonly kind: 'too_late'; readonly operation: Operation }
  | { readonly kind: 'not_found' }
  | NotSaved;
