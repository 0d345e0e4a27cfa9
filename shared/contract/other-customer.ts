import { foldDigits } from '../lib/digits.ts';
import { fieldOf, isOther } from './differing-fields.ts';
import type { CustomerProfile } from './profile.ts';

/**
 * In which fields a customer is not the one who was asked for, as far as the profile tells. It has no card numbers and no
 * external ids: what was asked by those is held against what this till knows (app/line/service-calls.ts).
 */
export function otherCustomer(identifier: unknown, profile: CustomerProfile): readonly string[] {
  return [
    ...(isOther(fieldOf(identifier, 'customer_id'), profile.customer_id) ? ['customer_id'] : []),
    ...otherPhone(fieldOf(identifier, 'phone'), profile.phone),
    ...otherEmail(fieldOf(identifier, 'email'), profile.email),
  ];
}

/**
 * In which fields a known customer is not the one who was to be enrolled. The phone or the e-mail is theirs: one that
 * agrees is enough (spec "POST /customers/enroll"). One that they were told without agrees with nothing.
 */
export function otherPerson(request: unknown, customer: unknown): readonly string[] {
  const told = (field: string) => fieldOf(request, field) != null && fieldOf(customer, field) != null;
  const compared = [
    ...(told('phone') ? [otherPhone(fieldOf(request, 'phone'), fieldOf(customer, 'phone'))] : []),
    ...(told('email') ? [otherEmail(fieldOf(request, 'email'), fieldOf(customer, 'email'))] : []),
  ];
  return compared.every((fields) => fields.length > 0) ? compared.flat() : [];
}

/** So many last digits of a number stand in every way of writing it, with or without country and trunk codes. */
const sureDigits = 6;

/** What services put in the place of what they do not show. */
const maskSigns = '*\\u00b7\\u2022\\u2026\\u25cf';
const emailMask = new RegExp(`[${maskSigns}]`);
const phoneMask = new RegExp(`[${maskSigns}#xX]`);

/** A phone is asked for in any format and told as E.164, or masked: then what can be seen of its end is compared. */
function otherPhone(asked: unknown, told: unknown): readonly string[] {
  if (typeof asked !== 'string' || typeof told !== 'string') return [];
  const shown = /^\+\d+$/.test(told) ? told.slice(-sureDigits) : endOfMasked(told);
  // Compatibility forms and Arabic digits are ways of writing the same number.
  const digits = foldDigits(asked.normalize('NFKC'));
  if (shown === null || /\p{L}|#|;/u.test(digits)) return [];
  const plain = digits.replace(/\D/g, '');
  if (plain.length < sureDigits) return [];
  return plain.endsWith(shown) ? [] : ['phone'];
}

/** @returns the last digits of a masked number, at most sureDigits of them; null when none is shown, or it is no such number */
function endOfMasked(told: string): string | null {
  const tidy = told.replace(/[\s()-]/g, '');
  if (!phoneMask.test(tidy) || !new RegExp(`^\\+?(\\d|${phoneMask.source})+$`).test(tidy)) return null;
  const shown = /\d*$/.exec(tidy)?.[0] ?? '';
  return shown === '' ? null : shown.slice(-sureDigits);
}

/** Compared without case (decisions "Enrollment"); of a masked one, its beginning and its end. */
function otherEmail(asked: unknown, told: unknown): readonly string[] {
  if (typeof asked !== 'string' || typeof told !== 'string') return [];
  const [one, other] = [asked.trim().toLowerCase(), told.toLowerCase()];
  if (one === other) return [];
  const [begin = '', ...rest] = other.split(emailMask);
  const end = rest.at(-1);
  return end !== undefined && one.startsWith(begin) && one.endsWith(end) ? [] : ['email'];
}
