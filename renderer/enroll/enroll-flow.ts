import { maxTextLength } from '../../shared/contract/limits.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { TillAnswer, TillError } from '../../shared/till/api.ts';
import { isEmail } from '../find/shape.ts';
import { understandPhone } from './phone.ts';

/**
 * gap: Enrollment. A replacement code goes out only after a cooling-off interval that the specification does not give;
 * the decisions say 60 s. A request before that gets the code that was sent already.
 */
const sendAgainAfterMs = 60_000;

/** A moment by two clocks: the agent's, and one that nobody sets. In the sandbox the agent's may stop or jump. */
export interface Moment {
  readonly epochMs: number;
  readonly monotonicMs: number;
}

/** The customer's details as typed. */
export interface EnrollDetails {
  readonly phone: string;
  readonly name: string;
  readonly email: string;
  /** The card's template; null: the service chooses. */
  readonly templateId: string | null;
}

export type DetailProblem = 'empty' | 'not_a_phone' | 'not_an_email' | 'too_long';
export type TypedDetail = Exclude<keyof EnrollDetails, 'templateId'>;
type DetailProblems = Readonly<Partial<Record<TypedDetail, DetailProblem>>>;

/** Why a code was not taken (spec "POST /customers/enroll/verify"). */
const otpReasons = ['otp_incorrect', 'otp_expired', 'otp_attempts_exhausted', 'enrollment_not_found'] as const;
export type OtpReason = (typeof otpReasons)[number];

/** The result of "Send again": a new code, or the one that was sent before. */
export type Resent = 'new_code' | 'same_code';

export type EnrollStep =
  | { readonly kind: 'details'; readonly problems: DetailProblems }
  | {
      readonly kind: 'code';
      readonly enrollmentId: string;
      /** By the service's clock. */
      readonly expiresAtMs: number;
      readonly sentAt: Moment;
      readonly code: string;
      /** The id of the press that sends this code. Another code gets another id. */
      readonly verifyId: string;
      readonly codeProblem: OtpReason | 'empty' | null;
      readonly resent: Resent | null;
    }
  | { readonly kind: 'known'; readonly profile: CustomerProfile | null }
  | { readonly kind: 'done'; readonly walletUrl: string };

/** One enrollment, from its first field to the card. */
export interface Enrollment {
  readonly details: EnrollDetails;
  /**
   * The reference of this person and number. It stays when a code is sent again. Another number is another enrollment.
   */
  readonly externalRef: string;
  /** The id of the press that asks for a code. It stays as long as an answer may still come. */
  readonly operationId: string;
  readonly step: EnrollStep;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

/**
 * A changed detail begins another enrollment, because the service would go on with the first number (spec
 * "Enrollment").
 */
export function editDetails(now: Enrollment, change: Partial<EnrollDetails>, newId: () => string): Enrollment {
  const details = { ...now.details, ...change };
  return {
    ...now,
    details,
    externalRef: `enroll-${newId()}`,
    operationId: newId(),
    step: { kind: 'details', problems: {} },
    failure: null,
  };
}

/** What is wrong with the details; empty when they can be sent. */
export function detailProblems({ phone, name, email }: EnrollDetails, currency: string): DetailProblems {
  const plainEmail = email.trim();
  const phoneProblem = phone.trim() === '' ? 'empty' : understandPhone(phone, currency) === null ? 'not_a_phone' : null;
  return {
    ...(phoneProblem === null ? {} : { phone: phoneProblem }),
    ...(name.trim().length > maxTextLength ? { name: 'too_long' as const } : {}),
    ...(plainEmail === '' || (isEmail(plainEmail) && plainEmail.length <= maxTextLength)
      ? {}
      : { email: 'not_an_email' as const }),
  };
}

/** The enrollment after the agent's answer to the details, or to "Send again". */
export function afterEnroll(
  now: Enrollment,
  answer: TillAnswer<'customer.enroll'>,
  { moment, newId }: { readonly moment: Moment; readonly newId: () => string },
): Enrollment {
  const next = { ...now, busy: false, failure: null, operationId: newId() };
  switch (answer.status) {
    case 'awaiting_otp': {
      const { enrollment_id: enrollmentId } = answer;
      const expiresAtMs = Date.parse(answer.otp_expires_at);
      const before = now.step.kind === 'code' ? now.step : null;
      const isNewCode = before === null || before.expiresAtMs !== expiresAtMs;
      return {
        ...next,
        step: {
          kind: 'code',
          enrollmentId,
          expiresAtMs,
          sentAt: moment,
          code: '',
          verifyId: newId(),
          codeProblem: isNewCode ? null : (before?.codeProblem ?? null),
          resent: before === null ? null : isNewCode ? 'new_code' : 'same_code',
        },
      };
    }
    case 'enrolled':
      return { ...next, step: { kind: 'done', walletUrl: answer.wallet_install_url } };
    case 'already_enrolled':
      return { ...next, step: { kind: 'known', profile: answer.profile } };
  }
}

/** The enrollment after the agent's answer to the code. */
export function afterVerify(now: Enrollment, answer: TillAnswer<'customer.verify'>): Enrollment {
  return { ...now, busy: false, failure: null, step: { kind: 'done', walletUrl: answer.wallet_install_url } };
}

/**
 * The enrollment after a failure, with the reason where it belongs. After a lost answer the next press repeats the same
 * request.
 */
export function afterFailure(now: Enrollment, error: TillError, newId: () => string): Enrollment {
  const isOpen = error.code === 'agent_gone' || error.code === 'books_unread';
  const next = { ...now, busy: false, failure: error, operationId: isOpen ? now.operationId : newId() };
  if (error.code !== 'refused') return next;
  if (error.service_code === 'ALREADY_ENROLLED')
    return { ...next, failure: null, step: { kind: 'known', profile: null } };
  const reason = otpReasons.find((known) => known === error.details?.[0]);
  if (now.step.kind === 'code' && error.service_code === 'OTP_INVALID') {
    return { ...next, failure: null, step: { ...now.step, codeProblem: reason ?? 'otp_incorrect', resent: null } };
  }
  return next;
}

/** How long until another code may be asked for, by the clock that is ahead. */
export function sendAgainInMs({ sentAt }: Extract<EnrollStep, { kind: 'code' }>, now: Moment): number {
  const passedMs = Math.max(now.epochMs - sentAt.epochMs, now.monotonicMs - sentAt.monotonicMs);
  return Math.max(0, sendAgainAfterMs - passedMs);
}

/** Whether the code that was sent may still be valid. */
export function isCodeAlive(step: Extract<EnrollStep, { kind: 'code' }>, serviceNowMs: number): boolean {
  const { codeProblem } = step;
  const isSpent = codeProblem !== null && codeProblem !== 'empty' && codeProblem !== 'otp_incorrect';
  return serviceNowMs < step.expiresAtMs && !isSpent;
}

/** Whether the enrollment cannot go on: no new code came, and the old one is no longer valid. */
export function isAtItsEnd(step: Extract<EnrollStep, { kind: 'code' }>, serviceNowMs: number): boolean {
  if (step.codeProblem === 'enrollment_not_found') return true;
  return step.resent === 'same_code' && !isCodeAlive(step, serviceNowMs);
}
