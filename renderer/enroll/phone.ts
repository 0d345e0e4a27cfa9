import { plainText } from '../../shared/lib/digits.ts';
import { hasPhoneCharacters, internationalPhone } from '../find/shape.ts';

/** How a country writes its numbers: the digits without its code, and the zero that is left out abroad. */
interface NumberPlan {
  readonly callingCode: string;
  readonly digits: number;
  readonly trunkZero: boolean;
}

/**
 * The country of a number without a country code, by the till's currency. A number of another country is typed with its
 * `+`. The service has the last word (spec "Identifier": any parseable format).
 */
const plansByCurrency: Readonly<Record<string, NumberPlan>> = {
  KWD: { callingCode: '965', digits: 8, trunkZero: false },
  BHD: { callingCode: '973', digits: 8, trunkZero: false },
  OMR: { callingCode: '968', digits: 8, trunkZero: false },
  QAR: { callingCode: '974', digits: 8, trunkZero: false },
  AED: { callingCode: '971', digits: 9, trunkZero: true },
  SAR: { callingCode: '966', digits: 9, trunkZero: true },
  JOD: { callingCode: '962', digits: 9, trunkZero: true },
  EGP: { callingCode: '20', digits: 10, trunkZero: true },
  IQD: { callingCode: '964', digits: 10, trunkZero: true },
};

/** No phone number has fewer digits than this, with or without a country code. */
const leastDigits = 6;

/** A typed phone number and how it is understood. */
interface UnderstoodPhone {
  /** The number that is sent: E.164 where that is certain, else the digits as typed. */
  readonly phone: string;
  /** For people, in groups: `+965 5551 2345`. */
  readonly shown: string;
}

/** @returns null for what can be no phone number */
export function understandPhone(text: string, currency: string): UnderstoodPhone | null {
  const plain = plainText(text);
  if (!hasPhoneCharacters(plain)) return null;
  const digits = plain.replace(/\D/g, '');
  const plan = plansByCurrency[currency];
  if (plain.startsWith('+') || digits.startsWith('00')) {
    const international = digits.replace(/^00/, '');
    const { min, max } = internationalPhone;
    if (international.length < min || international.length > max) return null;
    return { phone: `+${international}`, shown: grouped(international, plan) };
  }
  if (digits.length < leastDigits || digits.length > internationalPhone.max) return null;
  if (plan !== undefined) {
    const national = plan.trunkZero ? digits.replace(/^0/, '') : digits;
    if (national.length === plan.digits) {
      const international = plan.callingCode + national;
      return { phone: `+${international}`, shown: grouped(international, plan) };
    }
    if (digits.startsWith(plan.callingCode) && digits.length === plan.callingCode.length + plan.digits) {
      return { phone: `+${digits}`, shown: grouped(digits, plan) };
    }
  }
  return { phone: digits, shown: inFours(digits) };
}

function grouped(international: string, plan: NumberPlan | undefined): string {
  if (plan === undefined || !international.startsWith(plan.callingCode)) return `+${inFours(international)}`;
  return `+${plan.callingCode} ${inFours(international.slice(plan.callingCode.length))}`;
}

// Groups of four are easy to read aloud. The last group may have three digits, but never one.
function inFours(digits: string): string {
  const groups = digits.match(/\d{1,4}/g) ?? [];
  const last = groups.at(-1) ?? '';
  const before = groups.at(-2);
  if (last.length > 1 || before === undefined) return groups.join(' ');
  return [...groups.slice(0, -2), before.slice(0, 3), before.slice(3) + last].join(' ');
}
