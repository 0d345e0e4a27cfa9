import { z } from 'zod';
import { instant } from '../../../shared/contract/primitives.ts';
import { isSoundSoFar } from '../../../shared/contract/problems.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result, refuseFields } from '../answer.ts';
import { clockModes } from '../time/test-clock.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

/** Some thirty years: enough for any test, and always a date that can be written. */
const longestAdvanceMs = 1e12;
const latestInstantMs = Date.UTC(9000, 0, 1);

const moveSchema = z.lazy(() =>
  z
    .strictObject({
      advance_ms: z.int().min(0, 'must not be negative: the clock does not go back').max(longestAdvanceMs).optional(),
      set: instant.optional(),
      mode: z.enum(clockModes).optional(),
    })
    .refine((move) => Object.values(move).filter((value) => value !== undefined).length === 1, {
      error: 'needs exactly one of advance_ms, set and mode',
      when: isSoundSoFar,
    }),
);

/** Moves or holds the test clock; what becomes due on the way is done before the answer. */
export function moveClock({ clock }: ControlContext, call: ControlCall): Result {
  const valid = validate(moveSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const { advance_ms: advanceMs, set, mode } = valid.value;
  if (mode !== undefined) clock.setMode(mode);
  if (advanceMs !== undefined) {
    if (clock.now() + advanceMs > latestInstantMs) return refuseTooLate('advance_ms');
    clock.advance(advanceMs);
  }
  if (set !== undefined) {
    const targetMs = Date.parse(set);
    if (targetMs > latestInstantMs) return refuseTooLate('set');
    if (clock.set(targetMs).kind === 'would_go_back') {
      const problem = `is before the service's time (${toInstant(clock.now())}): the clock does not go back`;
      return refuseFields([{ field: 'set', problem }]);
    }
  }
  return done(200, { now: toInstant(clock.now()), clock: clock.mode });
}

/** More than this are not told at once. */
const mostDue = 200;

/** The time, and what waits for a later one, soonest first. */
export function readClock({ clock, store, keyring }: ControlContext): Result {
  const nowMs = clock.now();
  const nameOf = (customerId: string | null): string | null =>
    customerId === null ? null : (store.customers.byId(customerId)?.name ?? null);
  const due = [
    ...store.transactions.pending(mostDue).map((transaction) => ({
      kind: 'transaction',
      id: transaction.transactionId,
      atMs: transaction.applyAtMs,
      intent: transaction.intent,
      external_ref: transaction.externalRef,
      customer_name: nameOf(transaction.customerId),
      planned_failure: transaction.plannedFailure?.code ?? null,
    })),
    ...store.reservations.runOut(latestInstantMs, mostDue).map((reservation) => ({
      kind: 'reservation',
      id: reservation.reservationId,
      atMs: reservation.expiresAtMs,
      external_ref: reservation.externalRef,
      customer_name: nameOf(reservation.customerId),
    })),
    ...store.enrollments
      .awaitingCode(mostDue)
      .filter(({ otpExpiresAtMs }) => otpExpiresAtMs > nowMs)
      .map((enrollment) => ({
        kind: 'otp',
        id: enrollment.enrollmentId,
        atMs: enrollment.otpExpiresAtMs,
        external_ref: enrollment.externalRef,
        customer_name: enrollment.name,
      })),
    ...keyring
      .list()
      .flatMap(({ apiKey, source, expiresAtMs, revoked }) =>
        expiresAtMs === null || revoked || expiresAtMs <= nowMs
          ? []
          : [{ kind: 'key', id: apiKey, atMs: expiresAtMs, external_ref: null, customer_name: source }],
      ),
  ]
    .sort((one, other) => one.atMs - other.atMs)
    .slice(0, mostDue)
    .map(({ atMs, ...rest }) => ({ ...rest, at: toInstant(atMs) }));
  return done(200, { now: toInstant(nowMs), clock: clock.mode, ahead_ms: clock.aheadMs, due });
}

function refuseTooLate(field: string): Result {
  return refuseFields([{ field, problem: `must not go beyond ${toInstant(latestInstantMs)}` }]);
}
