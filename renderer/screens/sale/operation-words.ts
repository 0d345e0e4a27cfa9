import type { TillError } from '../../../shared/till/api.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { Advice } from '../../copy/en.ts';
import type { Words } from '../../copy/index.ts';
import type { Format } from '../../format.ts';
import { earnInWords } from '../../format.ts';
import type { EarnValue } from '../../sale/entry.ts';
import { refusalReason } from '../../sale/outcome.ts';

/** The one value that an operation carries; null for those that carry none. */
export function valueOfOperation(operation: OperationView): EarnValue | null {
  if (operation.points !== null) return { points: operation.points };
  if (operation.stamps !== null) return { stamps: operation.stamps };
  if (operation.visits !== null) return { visits: operation.visits };
  if (operation.amount_minor === null) return null;
  return { amount_minor: operation.amount_minor, currency: operation.currency ?? '' };
}

/** `KWD 12.500`, `25 points`; what it is when it carries no value. */
export function operationAmount(operation: OperationView, words: Words, format: Format): string {
  const value = valueOfOperation(operation);
  if (value !== null) return earnInWords(value, words, format);
  return operation.intent === 'earn' ? words.operations.names.earn_amount : words.recent.otherIntents[operation.intent];
}

/** Why something was not done: what the service said, where it said something, else the agent's own words. */
export function failureWords(failure: TillError, words: Words): Advice {
  if (failure.code !== 'refused' || failure.service_code === undefined) return words.errors[failure.code];
  const error = { code: failure.service_code, ...(failure.details === undefined ? {} : { details: failure.details }) };
  return words.spendRefusals[refusalReason(error)];
}

/** Why an enrollment does not go on; a wrong code says in which way it is wrong. */
export function enrollFailureWords(failure: TillError, words: Words): Advice {
  if (failure.service_code === 'OTP_INVALID') {
    const reason = failure.details?.[0];
    const { otp } = words.enroll;
    return typeof reason === 'string' && isOtpReason(reason, otp) ? otp[reason] : otp.otp_incorrect;
  }
  return failure.code === 'refused' ? words.enroll.refused : words.errors[failure.code];
}

function isOtpReason<Reasons extends object>(reason: string, known: Reasons): reason is keyof Reasons & string {
  return Object.hasOwn(known, reason);
}

export function operationCustomer(operation: OperationView, words: Words): string {
  return operation.customer_name ?? operation.identifier_hint ?? words.customer.nameless;
}
