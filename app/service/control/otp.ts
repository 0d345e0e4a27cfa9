import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result, refuse } from '../answer.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

/** The code that went to the customer's phone, for a tester who has none. */
export function readOtp({ store }: ControlContext, call: ControlCall): Result {
  const enrollment = store.enrollments.byId(call.param);
  if (enrollment === null) {
    return refuse('VALIDATION_ERROR', 'There is no such enrollment.', {
      status: 404,
      details: ['enrollment_not_found'],
    });
  }
  const { otp, sends, attempts, otpExpiresAtMs } = enrollment;
  return done(200, { otp, sends, attempts, expires_at: toInstant(otpExpiresAtMs) });
}

/** More than this are not listed at once. */
const mostCodes = 50;

/** The codes that wait for somebody to type them, newest first; one that has run out is among them. */
export function listOtps({ store }: ControlContext): Result {
  const data = store.enrollments.awaitingCode(mostCodes).map((enrollment) => ({
    enrollment_id: enrollment.enrollmentId,
    external_ref: enrollment.externalRef,
    phone: enrollment.phone,
    name: enrollment.name,
    otp: enrollment.otp,
    sends: enrollment.sends,
    attempts: enrollment.attempts,
    expires_at: toInstant(enrollment.otpExpiresAtMs),
  }));
  return done(200, { data });
}
