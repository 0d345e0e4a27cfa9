import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { fromPlus } from '../../../shared/contract/phone-shape.ts';
import { foldDigits } from '../../../shared/lib/digits.ts';
import { phoneDigits } from './same-phone.ts';

/** Where a number without its country belongs, by the till's currency: the shop's own country. */
const countryOfCurrency = {
  KWD: 'KW',
  BHD: 'BH',
  OMR: 'OM',
  QAR: 'QA',
  AED: 'AE',
  SAR: 'SA',
  JOD: 'JO',
  EGP: 'EG',
  IQD: 'IQ',
} as const;

/** Whether two phone numbers are one person's. */
export type ComparePhones = (one: string, other: string) => boolean;

/**
 * Phones are equal when they are the same number in E.164: +965 5000 1001 and +971 55 000 1001 are two persons'. What is
 * no possible number is equal only digit by digit. An extension is no part of a number.
 *
 * @param currency of the settings, ISO 4217; of one that is not listed, a number without its country is that of no other
 */
export function comparePhonesIn(currency: string): ComparePhones {
  const country = Object.entries(countryOfCurrency).find(([code]) => code === currency)?.[1];
  const formOf = (phone: string): string => {
    const text = fromPlus(foldDigits(phone).normalize('NFKC').trim());
    const parsed = parsePhoneNumberFromString(country === undefined ? text.replace(/^00/, '+') : text, {
      ...(country === undefined ? {} : { defaultCountry: country }),
      extract: false,
    });
    return parsed?.isPossible() === true ? parsed.number : phoneDigits(text);
  };
  return (one, other) => {
    const [left, right] = [phoneDigits(foldDigits(one)), phoneDigits(foldDigits(other))];
    // Most numbers end otherwise: those need not be parsed.
    return left.slice(-5) === right.slice(-5) && formOf(one) === formOf(other);
  };
}
