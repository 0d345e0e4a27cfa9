import type { OperationValues } from '../../../app/store/schema/operation.ts';

/** What is given or taken, as it stands in a request. */
export interface RequestedValues {
  readonly amount_minor?: number;
  readonly currency?: string;
  readonly points?: number;
  readonly stamps?: number;
  readonly visits?: number;
  readonly coupon_code?: string;
  readonly reward?: true;
  readonly reward_id?: string;
}

/** For whom, and what. */
export interface Deal {
  readonly loyaltyId: string;
  readonly values: RequestedValues;
}

/** How a POS program goes on when it has no answer, or none that tells. */
export interface Patience {
  readonly retries: number;
  readonly retryAfterMs: number;
}

/** What happens in a history, as data: made before the run, so that it can be shortened and run again. */
export type Step = {
  /** Its number in the whole history; it stays when others are left out. */
  readonly step: number;
  /** From the history's begin. */
  readonly atMs: number;
  /** The index of a till. */
  readonly till: number;
} & StepKind;

export type StepKind =
  | ({ readonly kind: 'earn'; readonly ref: string; readonly copies: number; readonly isStamped: boolean } & Deal &
      Patience)
  | ({ readonly kind: 'screen_earn'; readonly ref: string; readonly cancelAfterMs: number | null } & Deal)
  | ({ readonly kind: 'redeem'; readonly ref: string } & Deal & Patience)
  | ({
      readonly kind: 'screen_redeem';
      readonly ref: string;
      readonly decision: 'take_full_payment' | 'give_it' | null;
      readonly decideAfterMs: number;
      readonly waitMs: number;
    } & Deal)
  | ({
      readonly kind: 'reverse';
      readonly by: 'reference' | 'id' | 'screen';
      readonly ref: string;
      readonly intent: 'earn' | 'redeem';
      readonly reversalRef: string | null;
      /** The full value that goes with it; null: none does. */
      readonly fullValues: RequestedValues | null;
    } & Patience)
  | ({
      readonly kind: 'reservation';
      readonly cart: string;
      readonly order: string;
      readonly course: 'commit' | 'release' | 'release_commit' | 'commit_release' | 'late_commit' | 'nothing';
      readonly gapMs: number;
      readonly ttlMinutes: number;
    } & Deal &
      Patience)
  | ({
      readonly kind: 'enroll';
      readonly ref: string;
      readonly phone: string;
      readonly code: 'right' | 'wrong_first' | 'never';
      readonly codeAfterMs: number;
    } & Patience)
  | {
      readonly kind: 'decide_attention';
      /** Of those that need attention, which one: a part of their number. */
      readonly which: number;
      readonly decision: 'resend' | 'correct' | 'write_off';
    }
  | { readonly kind: 'read'; readonly ref: string }
  | { readonly kind: 'close_day' }
  | { readonly kind: 'outage'; readonly forMs: number }
  | { readonly kind: 'kill'; readonly afterMs: number; readonly downMs: number }
  | {
      readonly kind: 'kill_at_commit';
      readonly side: 'before' | 'after';
      readonly commits: number;
      readonly downMs: number;
    }
  | { readonly kind: 'stop'; readonly downMs: number }
  | { readonly kind: 'older_database'; readonly copiedForMs: number }
  | { readonly kind: 'clock_jump'; readonly byMs: number }
  | { readonly kind: 'rekey'; readonly to: 'same_partner' | 'other_partner' }
  | { readonly kind: 'practice'; readonly forMs: number; readonly sales: number }
  | { readonly kind: 'disk'; readonly trouble: 'full' | 'refused'; readonly forMs: number }
  | { readonly kind: 'suspend'; readonly card: number; readonly forMs: number }
  | {
      readonly kind: 'restore_service';
      readonly copiedForMs: number;
      /** How long after it store IT compares each till with the service and has sent again what is missing; null: never. */
      readonly verifiedAfterMs: number | null;
    };

/** A request's values as the agent and the service keep them. */
export function keptValues(values: RequestedValues): OperationValues {
  return {
    amountMinor: values.amount_minor ?? null,
    currency: values.currency ?? null,
    points: values.points ?? null,
    stamps: values.stamps ?? null,
    visits: values.visits ?? null,
  };
}
