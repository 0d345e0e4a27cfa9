import { z } from 'zod';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { isInTheBooks, type OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { Done, Unknown } from '../../client/outcome.ts';
import type { WriteAnswer } from '../../line/call-of-path.ts';
import type { OperationChange } from '../../store/rows/delivery.ts';
import type { Decision } from '../../store/schema/operation-values.ts';
import { nothingTold, type SentRow, stepOfSend, stepOfUnknown, successOf } from '../settlement/settlement.ts';

const enrollmentIdSchema = z.lazy(() => z.object({ enrollment_id: z.string() }));
const reservationIdSchema = z.lazy(() => z.object({ reservation_id: z.string() }));
const enrolledSchema = z.lazy(() => z.object({ customer_id: z.string(), card_id: z.string() }));

/** What a good answer makes of the row. A call that makes no transaction is done with the answer. */
export function settleDone(row: SentRow, done: Done<WriteAnswer>, nowMs: number): OperationChange {
  return {
    ...stepOfSend(row, nowMs),
    ...learnedFrom(done.answer),
    maybeSent: true,
    httpStatus: done.facts.httpStatus,
    requestId: done.facts.requestId,
  };
}

function learnedFrom(answer: WriteAnswer): Pick<OperationChange, 'event' | 'error'> & typeof nothingTold {
  if ('transaction_id' in answer && typeof answer.transaction_id === 'string') return successOf(answer);
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
/** A code and a cart have run out by then, so that nothing can be left of the request (spec "Limits": 120 minutes). */
const nothingLeftMs = 3 * 3_600_000;

type NextStep =
  /** It is proven, or as good as, that the service holds nothing: it ends as never recorded. */
  | 'cancel'
  /** The same bytes again. */
  | 'send'
  /** Not yet. */
  | 'wait';

/**
 * What to do with a write that the service's books do not show, or that they cannot show, when nobody waits for it any
 * more (design "Unknown outcomes of immediate operations").
 */
export function nextStep(facts: {
  readonly intent: OperationIntent;
  readonly decision: Decision | null;
  /**
   * Since its last send: by monotonic time, and by the wall clock, which somebody may set but which goes on while the
   * agent does not run.
   */
  readonly passed: { readonly surelyMs: number; readonly byWallClockMs: number };
  /** A reversal, and what it was to take back is taken back. */
  readonly isTakenBack: boolean;
}): NextStep {
  const { intent, decision, passed, isTakenBack } = facts;
  if (decision === 'give_it') return 'send';
  // It cannot be taken back twice: the same bytes only fetch the answer that was lost.
  if (isTakenBack) return 'send';
  const mayStillArrive = passed.surelyMs < lateArrivalMs;
  if (isInTheBooks(intent)) return mayStillArrive ? 'wait' : 'cancel';
  // To release a hold twice is to release it once, and somebody wants it free.
  if (intent === 'release') return 'send';
  return !mayStillArrive && Math.max(passed.surelyMs, passed.byWallClockMs) >= nothingLeftMs ? 'cancel' : 'wait';
}

/** What an outcome that is not known makes of a row for which somebody waited: whatever the cause, it costs an attempt. */
export function settleUnknownAtDesk(row: SentRow, outcome: Unknown, nowMs: number): OperationChange {
  return { ...stepOfUnknown(row, outcome, nowMs), attempts: row.attempts + 1 };
}

/** Nothing that is not known is left alone for longer. */
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
