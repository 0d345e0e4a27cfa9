import type { Refused } from '../../client/outcome.ts';
import type { PausingCause } from '../../line/connectivity.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { NotSaved } from '../requests/not-saved.ts';
import type { Differences } from '../requests/same-request.ts';
import type { AboveLimit } from '../requests/value-limits.ts';

/** What became of a write for which somebody waited. `retryAfterMs`: how long the service asked to wait, if it did. */
export type ImmediateOutcome =
  /** The service did it: now, or when it was asked the first time. `answer` is what it said. */
  | { readonly kind: 'done'; readonly operation: Operation; readonly answer: unknown; readonly duplicate: boolean }
  /**
   * Proven: the service recorded nothing. Or (details `paid_in_full`) somebody was told to pay in full: whatever the
   * service turns out to hold is taken back.
   */
  | {
      readonly kind: 'refused';
      readonly operation: Operation;
      readonly refusal: Pick<Refused, 'error' | 'body'> & { readonly httpStatus: number };
    }
  /** Proven: no byte of it reached the service, and none will. */
  | {
      readonly kind: 'not_sent';
      readonly cause: PausingCause;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** It may have happened. It is looked up until that is known; it is not sent again by itself. */
  | { readonly kind: 'unknown'; readonly operation: Operation; readonly retryAfterMs: number | null }
  /** Its reference stands for another write; nothing was sent. */
  | ({ readonly kind: 'reference_taken'; readonly operation: Operation } & Differences)
  /** More than is taken without a manager; nothing was sent. */
  | { readonly kind: 'above_limit'; readonly limit: AboveLimit }
  /** It could not be written down, so nothing was sent. */
  | NotSaved;

/** What became of a decision over an outcome that was not known. */
export type DecideOutcome =
  | { readonly kind: 'decided'; readonly operation: Operation }
  /** It is known meanwhile. */
  | { readonly kind: 'already_known'; readonly operation: Operation }
  /** Coupons and rewards have no reversal: they can only be given. */
  | { readonly kind: 'one_shot'; readonly operation: Operation }
  | { readonly kind: 'not_found' }
  | NotSaved;
