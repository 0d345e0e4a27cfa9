import type { OtpReason } from '../../../shared/contract/enrollment.ts';
import type { RandomSource } from '../../../shared/lib/random.ts';
import type { Settings } from '../settings.ts';
import type { SentCode } from '../store/enrollment-store.ts';
import { randomDigits } from './random-text.ts';

/** gap: Enrollment. */
const otpLength = 6;

type OtpSettings = Settings['otp'];

/** A code with a validity and attempts of its own. @param sends how often a code was sent before */
export function sendCode(
  random: RandomSource,
  { otp, nowMs, sends }: { readonly otp: OtpSettings; readonly nowMs: number; readonly sends: number },
): SentCode {
  return {
    otp: randomDigits(random, otpLength),
    otpSentAtMs: nowMs,
    otpExpiresAtMs: nowMs + otp.ttl_seconds * 1000,
    sends: sends + 1,
    attempts: 0,
  };
}

/** A replacement goes out only after the cooling-off interval and within the send budget (spec "Enrollment"). */
export function mayReplace(code: SentCode, otp: OtpSettings, nowMs: number): boolean {
  return code.sends < otp.send_budget && nowMs >= code.otpSentAtMs + otp.cooling_off_seconds * 1000;
}

/** Why a code is refused, or null when it is right (gap: Enrollment). */
export function checkCode(
  code: SentCode,
  given: string,
  { otp, nowMs }: { readonly otp: OtpSettings; readonly nowMs: number },
): Exclude<OtpReason, 'enrollment_not_found'> | null {
  if (code.attempts >= otp.max_attempts) return 'otp_attempts_exhausted';
  if (nowMs >= code.otpExpiresAtMs) return 'otp_expired';
  return given === code.otp ? null : 'otp_incorrect';
}
