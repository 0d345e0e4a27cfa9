import { type ErrorCode, errorFactOf, type errorFacts } from '../../shared/contract/error-facts.ts';
import type { ReceivedError } from '../../shared/contract/errors.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import { changedOnDiskCode } from '../../shared/till/own-errors.ts';

/** The steps of an operation that the cashier sees: Saved, Sent, Applied. */
export type OutcomeStep = 'saved' | 'sent' | 'applied';
export const outcomeSteps: readonly OutcomeStep[] = ['saved', 'sent', 'applied'];

/** What kind of news an outcome is, in front of the customer. */
export type OutcomeKind = 'saved' | 'sent' | 'added' | 'spent' | 'used' | 'given' | 'coupon' | 'before';

/** How a state looks: a tone (colour, never alone) and an icon. */
export type Tone = 'success' | 'info' | 'waiting' | 'warning' | 'danger' | 'neutral';

export interface StateLook {
  readonly tone: Tone;
  readonly icon: 'saved' | 'sending' | 'checking' | 'sent' | 'applied' | 'refused' | 'undone' | 'written_off';
  /** The last step that is proven done; null when the operation ended in another way. */
  readonly reached: OutcomeStep | null;
  /** Whether nothing more will happen by itself. */
  readonly settled: boolean;
}

/** The one table of how every state looks. The words are in `copy`, under the same names. */
export const stateLooks: Readonly<Record<OperationState, StateLook>> = {
  queued: { tone: 'waiting', icon: 'saved', reached: 'saved', settled: false },
  sending: { tone: 'info', icon: 'sending', reached: 'saved', settled: false },
  unknown: { tone: 'warning', icon: 'checking', reached: 'saved', settled: false },
  accepted: { tone: 'info', icon: 'sent', reached: 'sent', settled: false },
  applied: { tone: 'success', icon: 'applied', reached: 'applied', settled: true },
  refused: { tone: 'danger', icon: 'refused', reached: null, settled: true },
  failed: { tone: 'danger', icon: 'refused', reached: null, settled: true },
  cancelled: { tone: 'neutral', icon: 'undone', reached: null, settled: true },
  reversed: { tone: 'neutral', icon: 'undone', reached: null, settled: true },
  written_off: { tone: 'neutral', icon: 'written_off', reached: null, settled: true },
};

const checking: StateLook = { tone: 'warning', icon: 'checking', reached: null, settled: false };
const done: StateLook = { tone: 'success', icon: 'applied', reached: null, settled: true };
const notDone: StateLook = { tone: 'danger', icon: 'refused', reached: null, settled: true };

/** How the states of a redemption look. The cashier waits for it: it is done, it is not, or it is being checked. */
export const spendLooks: Readonly<Record<OperationState, StateLook>> = {
  queued: checking,
  sending: checking,
  unknown: checking,
  accepted: done,
  applied: done,
  refused: notDone,
  failed: notDone,
  cancelled: notDone,
  reversed: stateLooks.reversed,
  written_off: stateLooks.written_off,
};

/** How the states of a reversal look. It waits like a sale, and ends like a redemption. */
export const reversalLooks: Readonly<Record<OperationState, StateLook>> = {
  ...spendLooks,
  queued: stateLooks.queued,
  sending: stateLooks.sending,
  accepted: stateLooks.accepted,
  cancelled: stateLooks.cancelled,
};

const reasonsByDetail = {
  card_id_required: 'card_choice_needed',
  currency_mismatch: 'currency_mismatch',
  occurred_at_outside_window: 'outside_window',
  paid_in_full: 'paid_in_full',
  hold_over: 'hold_over',
  idempotency_key_reused: 'key_taken',
} as const;

/** Why the service refused. Each reason has its own words on the screen. */
export type RefusalReason =
  | (typeof errorFacts)[ErrorCode]['advice']
  | (typeof reasonsByDetail)[keyof typeof reasonsByDetail]
  | 'changed_on_disk';

/** The reason for an error. The code decides, and a known detail only makes the reason more exact. */
export function refusalReason(error: Pick<ReceivedError, 'code' | 'details'>): RefusalReason {
  if (error.code === changedOnDiskCode) return 'changed_on_disk';
  const exact = Object.entries(reasonsByDetail).find(([detail]) => error.details?.includes(detail));
  return exact?.[1] ?? errorFactOf(error.code)?.advice ?? 'other';
}

/** Whether an operation in this state counts: it is done, or will be as far as anybody knows. */
export function counts(state: OperationState): boolean {
  return stateLooks[state].reached !== null;
}

/** Whether the outcome of a redemption is still unknown. */
export function isOpenState(state: OperationState): boolean {
  return state === 'queued' || state === 'sending' || state === 'unknown';
}
