import { hourMs, minuteMs } from '../../../shared/lib/durations.ts';
import { deadStates, type OperationEvent, type OperationState } from '../../../shared/machines/operation.ts';
import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';

/**
 * How often an operation is looked up again after it counted as not recorded.
 *
 * - `whole`: bytes of an attempt without an answer may still be on their way.
 * - `once`: every attempt was answered; only a proxy may still send one again.
 * - `at_once`: the books are to be read when the line is good, and that settles it.
 */
export const watchSchedules = ['whole', 'once', 'at_once'] as const;
type WatchSchedule = (typeof watchSchedules)[number];

export const watchReasons = ['refused', 'absent', 'cancelled', 'written_off', 'late_success', 'put_back'] as const;
type WatchReason = (typeof watchReasons)[number];

/** THE table of looks: how long after the operation left them behind (design "Promises", 7). */
const lookTimesMs: Readonly<Record<WatchSchedule, readonly number[]>> = {
  whole: [2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 24 * hourMs],
  once: [10 * minuteMs],
  at_once: [0],
};

/**
 * THE table of what is done about a write of each kind whose bytes may still arrive after it counted as not recorded.
 */
export const afterwards = {
  earn: 'looked_up',
  redeem: 'looked_up',
  // The books show it as the redemption of its order.
  commit: 'looked_up',
  // The books show the reversal, or its original as reversed.
  reverse: 'looked_up',
  // It stays pending until its code is entered, and then runs out: nobody is enrolled by it.
  enroll: 'runs_out',
  // A customer who was enrolled is found by phone, and the next enrollment of that phone names them.
  verify: 'shows_itself',
  // What it holds is free again after two hours at most, and no books show it.
  reserve: 'runs_out',
  // A hold that is released late is released all the same, as was wanted. No books show it.
  release: 'was_wanted',
} as const satisfies Record<OperationIntent, string>;

/** How long from one look to the next, or to the first. Null: there is no further one. */
export function nextLookInMs(schedule: WatchSchedule, looksDone: number): number | null {
  const times = lookTimesMs[schedule];
  const next = times[looksDone];
  return next === undefined ? null : next - (times[looksDone - 1] ?? 0);
}

export interface PlannedWatch {
  readonly schedule: WatchSchedule;
  readonly why: WatchReason;
}

/** Whether a step of an operation calls for looks afterwards, and which. */
export function watchAfter(step: {
  readonly intent: OperationIntent;
  readonly from: OperationState;
  readonly event: OperationEvent;
  /** Whether an attempt before had no answer. */
  readonly wasMaybeSent: boolean;
  /** Whether bytes of it went out, or may have, whatever the answer said. */
  readonly hasLeft: boolean;
  /** Saved before this run of the agent began. */
  readonly isOfEarlierRun: boolean;
  /** Of a refusal. */
  readonly code: string | null;
  /** How often the request was changed, and 1. */
  readonly bodyVersion: number;
}): PlannedWatch | null {
  const { intent, from, event, wasMaybeSent, hasLeft, isOfEarlierRun, code, bodyVersion } = step;
  if (afterwards[intent] !== 'looked_up') return null;
  switch (event) {
    case 'refuse':
      // What holds its reference may be what it was before it was changed: nobody should be sent to take it again.
      if (code === 'DUPLICATE_TRANSACTION' && bodyVersion > 1) return { schedule: 'at_once', why: 'refused' };
      return { schedule: wasMaybeSent ? 'whole' : 'once', why: 'refused' };
    // Read in the books; what is still on its way they cannot show.
    case 'prove_absent':
      return { schedule: 'whole', why: 'absent' };
    case 'write_off':
      return from === 'unknown' ? { schedule: 'whole', why: 'written_off' } : null;
    case 'cancel':
      if (hasLeft) return { schedule: 'once', why: 'cancelled' };
      // The database may be an older one, which does not know that it was sent.
      return isOfEarlierRun ? { schedule: 'at_once', why: 'put_back' } : null;
    case 'accept':
    case 'apply':
      return deadStates.has(from) ? { schedule: 'at_once', why: 'late_success' } : null;
    // A refused one is watched since it was refused.
    case 'dismiss':
    case 'resend':
    case 'mark':
    case 'not_sent':
    case 'lose':
    case 'fail':
    case 'miss':
    case 'reverse':
      return null;
  }
}

/** A line of an operation's history. */
interface Step {
  readonly to: OperationState;
  readonly httpStatus: number | null;
}

/** The sends of which bytes went out, or may have: none did where `queued` follows without any answer. */
export function sendsThatLeft<Line extends Step>(history: readonly Line[]): readonly Line[] {
  return history.filter(({ to }, at) => {
    const next = history[at + 1];
    return to === 'sending' && (next?.to !== 'queued' || next.httpStatus !== null);
  });
}

/** Whether bytes of an operation went out, or may have, also from another copy of the database. */
export function hasLeftTill(history: readonly Step[]): boolean {
  return sendsThatLeft(history).length > 0 || history.some(({ to }) => to === 'unknown');
}
