import type { OtpReason, VerifyRequest } from '../../../shared/contract/enrollment.ts';
import { enrollmentMachine } from '../../../shared/machines/enrollment.ts';
import { advance } from '../../../shared/machines/machine.ts';
import { done, type Refusal, type Result, refuse } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import type { Card } from '../store/card-store.ts';
import type { StoredEnrollment } from '../store/enrollment-store.ts';
import { checkNotEnrolled } from './enroll.ts';
import { enrollResult } from './enrollment-view.ts';
import { naturalKeyOf } from './idempotency.ts';
import { issueCard } from './issue-card.ts';
import { shownBalances } from './mechanics.ts';
import { completedTransaction } from './new-transaction.ts';
import { checkCode } from './one-time-code.ts';
import { findTemplate } from './templates.ts';

/** Spec "POST /customers/enroll/verify": the right code makes the customer, issues the card and records both. */
export function verify(context: ServiceContext, call: Call<VerifyRequest>): Result {
  const { body } = call;
  const { enrollments } = context.store;
  const enrollment = enrollments.byId(body.enrollment_id);
  // Another partner's is not there for it (decision 0009).
  if (enrollment === null || enrollment.source !== call.caller.source) return refuseOtp('enrollment_not_found');
  const note = { externalRef: enrollment.externalRef };
  if (enrollment.state === 'enrolled') {
    // gap: Enrollment (a replay knows the code, too)
    if (body.otp !== enrollment.otp) return refuseOtp('otp_incorrect');
    return done(200, enrollResult(enrollment, { duplicate: true }), { ...note, duplicate: true });
  }
  const reason = checkCode(enrollment, body.otp, { otp: context.settings.current.otp, nowMs: context.clock.now() });
  if (reason !== null) {
    if (reason === 'otp_incorrect') {
      enrollments.setCode(enrollment.enrollmentId, { ...enrollment, attempts: enrollment.attempts + 1 });
    }
    return refuseOtp(reason);
  }
  const taken = checkNotEnrolled(context, enrollment);
  if (taken !== null) return taken;
  return done(201, enrollResult(finish(context, enrollment, call), { duplicate: false }), note);
}

function finish(context: ServiceContext, enrollment: StoredEnrollment, call: Call<VerifyRequest>): StoredEnrollment {
  const state = advance(enrollmentMachine, enrollment.state, 'verify');
  if (state !== 'enrolled') throw new Error(`An enrollment that is ${enrollment.state} cannot be verified`);
  const { customers, enrollments, transactions } = context.store;
  const nowMs = context.clock.now();
  const customerId = context.makeId('cus');
  const { name, phone, email, templateId } = enrollment;
  customers.insert({ customerId, name, phone, email, verified: true, createdAtMs: nowMs });
  nameAtPartner(context, enrollment, customerId);
  const card = issueCard(context, { customerId, templateId });
  const { cardId } = card;
  // gap: Enrollment (an enrollment is in the customer's history)
  transactions.insert(
    completedTransaction(
      {
        transactionId: context.makeId('txn'),
        source: enrollment.source,
        naturalKey: naturalKeyOf('enroll', enrollment.externalRef),
        intent: 'enroll',
        externalRef: enrollment.externalRef,
        customerId,
        cardId,
        request: enrollment.request,
        requestId: call.requestId,
      },
      { nowMs, deltas: {}, newBalances: balancesOf(card) },
    ),
  );
  enrollments.enroll(enrollment.enrollmentId, { customerId, cardId });
  return { ...enrollment, state, customerId, cardId };
}

/**
 * The reference is the partner's own user id: the new customer is known by it there (gap: Money, time, ids). One that
 * names another customer already goes on naming that one.
 */
function nameAtPartner({ store }: ServiceContext, { source, externalRef }: StoredEnrollment, customerId: string): void {
  if (store.customers.byExternalId(source, externalRef) !== null) return;
  store.customers.setExternalId(source, externalRef, customerId);
}

function balancesOf(card: Card) {
  return shownBalances(findTemplate(card.templateId)?.mechanics ?? null, { ...card, holds: {} });
}

const otpWords: Readonly<Record<OtpReason, string>> = {
  otp_incorrect: 'The code is wrong.',
  otp_expired:
    'The code has expired: enroll again with the same external_ref for another, or with a new one once no more are sent.',
  otp_attempts_exhausted:
    'Too many wrong codes: enroll again with the same external_ref for another, or with a new one once no more are sent.',
  enrollment_not_found: 'There is no such enrollment.',
};

function refuseOtp(reason: OtpReason): Refusal {
  return refuse('OTP_INVALID', otpWords[reason], { details: [reason] });
}
