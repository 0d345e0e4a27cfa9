import type { Refused } from '../../client/outcome.ts';
import type { PausingCause } from '../../line/connectivity.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { NotSaved } from '../requests/not-saved.ts';
import type { Differences } from '../requests/same-request.ts';
import type { AboveLimit } from '../requests/value-limits.ts';

/** What became of a write for which somebody waited. `retryAfterMs`: how long the service asked to wait, if it did. */
export type ImmediateOutcome =
  /** The service carried the write out: now, or when it was asked the first time. `answer` is the service's. */
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
  /** Proven: no byte of the write reached the service, and none will. */
  | {
      readonly kind: 'not_sent';
      readonly cause: PausingCause;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** The service may have carried the write out: it is looked up until that is known. */
  | { readonly kind: 'unknown'; readonly operation: Operation; readonly retryAfterMs: number | null }
  /** The reference belongs to another write; nothing was sent. */
  | ({ readonly kind: 'reference_taken'; readonly operation: Operation } & Differences)
  /** The write passes a limit that only a manager may pass; nothing was sent. */
  | { readonly kind: 'above_limit'; readonly limit: AboveLimit }
  /** The write could not be saved, so nothing was sent. */
  | NotSaved;

/** What became of a decision over an outcome that was not known. */
export type DecideOutcome =
  | { readonly kind: 'decided'; readonly operation: Operation }
  /** The outcome has become known meanwhile. */
  | { readonly kind: 'already_known'; readonly operation: Operation }
  /** Coupons and rewards have no reversal: they can only be given. */
  | { readonly kind: 'one_shot'; readonly operation: Operation }
  | { readonly kind: 'not_found' }
  | NotSaved;
