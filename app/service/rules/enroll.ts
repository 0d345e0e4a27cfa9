import type { EnrollRequest } from '../../../shared/contract/enrollment.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Refusal, type Result, refuse, refuseFields } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { StoredEnrollment } from '../store/enrollment-store.ts';
import { enrollResult } from './enrollment-view.ts';
import { answerReplay, checkIdempotencyKey, keepIdempotencyKey, naturalKeyOf } from './idempotency.ts';
import { mayReplace, sendCode } from './one-time-code.ts';
import { normalizePhone } from './phones.ts';
import { customerProfile } from './profile.ts';
import { findTemplate } from './templates.ts';

/** Spec "POST /customers/enroll" under the strict OTP policy: the code goes to the phone, nothing is made before it. */
export function enroll(context: ServiceContext, call: Call<EnrollRequest>): Result {
  const { body, caller } = call;
  const { store, settings } = context;
  const request = JSON.stringify(body);
  const earlier = store.enrollments.byReference(caller.source, body.external_ref);
  const keyed = { endpoint: 'enroll', naturalKey: naturalKeyOf('enroll', body.external_ref) } as const;
  if (earlier !== null) return answerReplay(context, call, keyed, repeat(context, earlier, request));
  const keyRefusal = checkIdempotencyKey(context, call, keyed);
  if (keyRefusal !== null) return keyRefusal;

  if (body.phone === undefined) {
    return refuseFields([{ field: 'phone', problem: 'is required: the verification code goes there' }]);
  }
  const phone = normalizePhone(body.phone, settings.current.default_region);
  if (phone === null) return refuseFields([{ field: 'phone', problem: 'is not a phone number' }]);
  const templateId = body.template_id ?? settings.current.default_template_id;
  if (templateId === null) return refuseTemplate('template_id_required');
  if (findTemplate(templateId) === null) return refuseTemplate('template_not_found');
  const email = body.email?.toLowerCase() ?? null;
  const taken = checkNotEnrolled(context, { phone, email });
  if (taken !== null) return taken;

  const enrollment: StoredEnrollment = {
    enrollmentId: context.makeId('enr'),
    source: caller.source,
    externalRef: body.external_ref,
    state: 'awaiting_otp',
    phone,
    email,
    name: body.name ?? null,
    templateId,
    channel: body.channel ?? null,
    request,
    ...sendCode(context.random, { otp: settings.current.otp, nowMs: context.clock.now(), sends: 0 }),
    customerId: null,
    cardId: null,
  };
  store.enrollments.insert(enrollment);
  keepIdempotencyKey(context, call, keyed);
  return pending(enrollment, { externalRef: body.external_ref });
}

/**
 * The in-flight enrollment again, perhaps with a replacement code; or what it came to. One whose phone or e-mail belongs
 * to a customer by now can come to nothing any more: that customer is told of, as a verification would.
 */
function repeat(context: ServiceContext, earlier: StoredEnrollment, request: string): Result {
  const note = { externalRef: earlier.externalRef, duplicate: true, payloadDiffers: earlier.request !== request };
  if (earlier.state === 'enrolled') return done(200, enrollResult(earlier, { duplicate: true }), note);
  const taken = checkNotEnrolled(context, earlier);
  if (taken !== null) return taken;
  const { otp } = context.settings.current;
  const nowMs = context.clock.now();
  if (!mayReplace(earlier, otp, nowMs)) return pending(earlier, note);
  const code = sendCode(context.random, { otp, nowMs, sends: earlier.sends });
  context.store.enrollments.setCode(earlier.enrollmentId, code);
  return pending({ ...earlier, ...code }, note);
}

function pending(enrollment: StoredEnrollment, note: { readonly externalRef: string }): Result {
  const { enrollmentId, otpExpiresAtMs } = enrollment;
  const body = { enrollment_id: enrollmentId, status: 'awaiting_otp', otp_expires_at: toInstant(otpExpiresAtMs) };
  return done(202, body, note);
}

/** Template problems are malformed requests (gap: Enrollment). */
function refuseTemplate(detail: 'template_id_required' | 'template_not_found'): Refusal {
  const message =
    detail === 'template_not_found'
      ? 'template_id: is not a template of this tenant'
      : 'template_id: is required, for the tenant has no default template';
  return refuse('VALIDATION_ERROR', message, { details: [detail] });
}

/** Phone and e-mail belong to one customer each; the refusal carries that customer (spec "Other shapes"). */
export function checkNotEnrolled(
  context: ServiceContext,
  { phone, email }: { readonly phone: string; readonly email: string | null },
): Refusal | null {
  const { customers } = context.store;
  const byPhone = customers.byPhone(phone);
  const customer = byPhone ?? (email === null ? null : customers.byEmail(email));
  if (customer === null) return null;
  const what = byPhone === null ? 'e-mail' : 'phone';
  return refuse('ALREADY_ENROLLED', `This ${what} already belongs to a customer.`, {
    beside: { customer: customerProfile(context, customer) },
  });
}
