import type { Problem } from '../../shared/contract/problems.ts';
import type { EarnRequest } from '../../shared/contract/transaction.ts';
import type { ValueField } from '../../shared/contract/value-fields.ts';
import type { Operation } from '../store/schema/operation.ts';
import type { NotSaved } from './requests/not-saved.ts';
import type { AboveLimit } from './requests/value-limits.ts';

/** What a person may change of a sale that the service has refused. */
export type Correction = Partial<Pick<EarnRequest, 'identifier' | 'card_id' | ValueField | 'currency' | 'branch_ref'>>;

/** Who decides, and why; both stand in the operation's history. */
export interface Decider {
  readonly person: string | null;
  readonly reason: string;
  /** Who gives the command that decides (`store IT (user)`): `person` is then a name that was only typed. */
  readonly by?: string;
}

/** Who decides that an operation is sent again. */
export interface ResendDecider extends Decider {
  /**
   * When a sale took place that was refused for its time, as the person says, in milliseconds since 1970: a till that had a
   * wrong date cannot know it. Null: the time is made anew where it can be.
   */
  readonly occurredAtMs?: number | null;
}

/** Who decides about a correction, of what, and whether it may pass a limit. */
export interface CorrectDecider extends Decider {
  /** The manager who lets the correction pass the limits of the settings. */
  readonly approvedBy?: string;
  /** The refused sale's version that the person has seen; null: any. What was changed since is not corrected. */
  readonly seenVersion?: number | null;
}

/** What became of a person's decision. */
export type AttentionOutcome =
  | { readonly kind: 'done'; readonly operation: Operation }
  /** The operation does not wait for this decision; its state says why. */
  | { readonly kind: 'not_now'; readonly operation: Operation }
  /** The service's books cannot be read now, so nobody knows what the service holds of the operation. */
  | { readonly kind: 'books_unread'; readonly operation: Operation }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not_found' }
  | NotSaved;

/** What became of a replacement: the reference that a person entered for it may be another sale's. */
export type ReplaceOutcome = AttentionOutcome | { readonly kind: 'reference_taken'; readonly operation: Operation };

/** What became of a correction: the limits of the settings bind it as they bind a sale. */
export type CorrectOutcome = ReplaceOutcome | { readonly kind: 'above_limit'; readonly limit: AboveLimit };

/** The saved request cannot be read, so nobody knows what would go out. The receipt tells what was sold. */
export const unreadable: Extract<AttentionOutcome, { kind: 'invalid' }> = {
  kind: 'invalid',
  problems: [
    {
      field: 'request',
      problem: 'cannot be read any more: write it off, and enter the sale from its receipt under another reference',
    },
  ],
};
