import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { fromPlus } from '../../../shared/contract/phone-shape.ts';

/**
 * A phone in E.164. It is accepted when it is possible for its region, not only when its range is known
 * (gap: Errors and limits).
 *
 * @param region the tenant's default region, for numbers without a country code (gap: Money, time, ids)
 * @returns null when the text is not a phone number
 */
export function normalizePhone(text: string, region: CountryCode): string | null {
  const phone = parsePhoneNumberFromString(fromPlus(text), { defaultCountry: region, extract: false });
  return phone?.isPossible() ? phone.number : null;
}

export function isRegion(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

export type { CountryCode as Region };
