import { z } from 'zod';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { hourMs } from '../../../shared/lib/durations.ts';
import { isInTheBooks, type OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { Done, Unknown } from '../../client/outcome.ts';
import type { WriteAnswer } from '../../line/call-of-path.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';
import type { Decision } from '../../store/schema/operation-values.ts';
import { learnedFrom, nothingTold, type SentRow, stepOfSend, stepOfUnknown } from '../settlement/settlement.ts';

const enrollmentIdSchema = z.lazy(() => z.object({ enrollment_id: z.string() }));
const reservationIdSchema = z.lazy(() => z.object({ reservation_id: z.string() }));
const enrolledSchema = z.lazy(() => z.object({ customer_id: z.string(), card_id: z.string() }));

/** What a good answer makes of the row. A call that makes no transaction is applied with its answer. */
export function settleDone(row: SentRow, done: Done<WriteAnswer>, nowMs: number): OperationChange {
  return {
    ...stepOfSend(row, nowMs),
    ...learnedFromWrite(done.answer),
    maybeSent: true,
    httpStatus: done.facts.httpStatus,
    requestId: done.facts.requestId,
  };
}

function learnedFromWrite(answer: WriteAnswer): Pick<OperationChange, 'event' | 'error'> & typeof nothingTold {
  if ('transaction_id' in answer && typeof answer.transaction_id === 'string') return learnedFrom(answer);
  const applied = { ...nothingTold, event: 'apply', error: null } as const;
  const reservation = reservationIdSchema.safeParse(answer);
  if (reservation.success) return { ...applied, serviceTransactionId: reservation.data.reservation_id };
  const enrollment = enrollmentIdSchema.safeParse(answer);
  if (enrollment.success) return { ...applied, serviceTransactionId: enrollment.data.enrollment_id };
  const enrolled = enrolledSchema.parse(answer);
  return {
    ...applied,
    serviceTransactionId: enrolled.customer_id,
    serviceCustomerId: enrolled.customer_id,
    serviceCardId: enrolled.card_id,
  };
}

/** How long after its last send a request may still be on its way to the service. */
export const lateArrivalMs = 30_000;
/** By then a code and a hold have expired, so that nothing can be left of the request (spec "Limits": 120 minutes). */
const nothingLeftMs = 3 * hourMs;

type NextStep =
  /** It is proven, or nearly so, that the service holds nothing of the write: the row ends as never recorded. */
  | 'cancel'
  /** Send the same bytes again. */
  | 'send'
  /** Leave the row for a later look. */
  | 'wait';

/**
 * What to do with a write that the service's books do not show, or that they cannot show, when nobody waits for it any
 * more (design "Unknown outcomes of immediate operations").
 */
export function nextStep(facts: {
  readonly intent: OperationIntent;
  readonly decision: Decision | null;
  /**
   * Time since the last send. Monotonic time is sure, but knows nothing of the time in which the agent did not run. The
   * wall clock knows that, but somebody may have set it.
   */
  readonly passed: { readonly surelyMs: number; readonly byWallClockMs: number };
  /** The write is a reversal, and its original is reversed already. */
  readonly isTakenBack: boolean;
}): NextStep {
  const { intent, decision, passed, isTakenBack } = facts;
  if (decision === 'give_it') return 'send';
  // Nothing is reversed twice: the same bytes only fetch the answer that was lost.
  if (isTakenBack) return 'send';
  const mayStillArrive = passed.surelyMs < lateArrivalMs;
  if (isInTheBooks(intent)) return mayStillArrive ? 'wait' : 'cancel';
  // Releasing a hold twice does no more than releasing it once, and somebody wants it free.
  if (intent === 'release') return 'send';
  return !mayStillArrive && Math.max(passed.surelyMs, passed.byWallClockMs) >= nothingLeftMs ? 'cancel' : 'wait';
}

/** What an unknown outcome makes of a row for which somebody waited. Whatever the cause, it costs the row an attempt. */
export function settleUnknownAtDesk(row: SentRow, outcome: Unknown, nowMs: number): OperationChange {
  return { ...stepOfUnknown(row, outcome, nowMs), attempts: row.attempts + 1 };
}

/** The longest time between two looks at a row whose outcome is not known. */
export const longestLookMs = 300_000;

/** How long until the books are asked again, while somebody waits and when nobody does. */
export function lookAgainMs(kind: 'waiting' | 'alone', looks: number): number {
  switch (kind) {
    case 'waiting':
      return Math.min(5_000, 500 * 2 ** looks);
    case 'alone':
      return Math.min(longestLookMs, 5_000 * 2 ** looks);
    default:
      return assertNever(kind);
  }
}
