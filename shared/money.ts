/**
 * Converts money between minor units (as the service counts, spec "What the service does", 3) and text. The number of
 * decimals comes from ISO 4217 and is never guessed. An unknown currency is refused.
 */
import { foldDigits } from './lib/digits.ts';

const codesByExponent: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
    COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR
    IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD
    NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
    SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/** Digits after the point of an ISO 4217 currency (KWD 3, USD 2, JPY 0); null when the code is not one of them. */
export function currencyExponent(currency: string): number | null {
  return exponents.get(currency) ?? null;
}

/** `12500` with exponent 3 is `12.500`; exact for every safe integer. */
export function minorToDecimalText(amountMinor: number, exponent: number): string {
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Money for people: `KWD 12.500`, with the digits and the sign of the locale (`ar` writes ١٢٫٥٠٠ د.ك). For an unknown
 * currency it writes the minor units and the code, so that the amount is never wrong by a factor.
 */
export function formatMoney(amountMinor: number, currency: string, locale: string): string {
  const exponent = currencyExponent(currency);
  const text = minorToDecimalText(amountMinor, exponent ?? 0) as Intl.StringNumericLiteral;
  const digits = exponent ?? 0;
  const number = numberFormat(locale, digits).format(text);
  const sign = currencySign(currency, locale);
  // A code is before the number, as on receipts in both languages. A language's own sign is where the language writes
  // it.
  return sign === currency ? `${currency}\u00a0${number}` : `${number}\u00a0${sign}`;
}

const signs = new Map<string, string>();

/** The sign of a currency beside an amount: its code, or in Arabic its Arabic sign when there is one (`د.ك`). */
export function currencySign(currency: string, locale: string): string {
  if (!locale.startsWith('ar')) return currency;
  const key = `${locale} ${currency}`;
  const known = signs.get(key);
  if (known !== undefined) return known;
  const made = arabicSign(currency, locale);
  signs.set(key, made);
  return made;
}

function arabicSign(currency: string, locale: string): string {
  if (currencyExponent(currency) === null) return currency;
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
  const sign =
    parts
      .find(({ type }) => type === 'currency')
      ?.value.replace(marks, '')
      .replace(/\.$/, '') ?? '';
  // For other currencies Intl gives a sign of another script, or the code.
  return /[\u0620-\u064a]/.test(sign) ? sign : currency;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Formats are kept, because making one costs more than writing a hundred amounts. */
function numberFormat(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  const known = numberFormats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  numberFormats.set(key, made);
  return made;
}

/** Why a text is not an amount; the screen has words for each. */
export type AmountProblem =
  | 'empty'
  | 'not_a_number'
  | 'too_many_decimals'
  | 'negative'
  | 'zero'
  | 'too_large'
  | 'unknown_currency';

type ParsedAmount =
  | { readonly ok: true; readonly amountMinor: number }
  | { readonly ok: false; readonly problem: AmountProblem };

// Commas between thousands are accepted only where they cannot be decimals: before a point, or in a currency without
// decimals.
const shapeWithDecimals = /^(-?)(\d+|\d{1,3}(?:,\d{3})+(?=\.)|(?=\.\d))(?:\.(\d*))?$/;
const shapeWithoutDecimals = /^(-?)(\d+|\d{1,3}(?:,\d{3})+|(?=\.\d))(?:\.(\d*))?$/;

const marks = /[\u200e\u200f\u061c]/g;
/** The Arabic separator, and the space or underscore that some write between thousands. Each is read as a comma. */
const otherCommas = /\u066c|(?<=\d)[\s_]+(?=\d)/g;
const spaces = /[\s_]/g;

/** The text with plain digits (`foldDigits`), commas between thousands, and without spaces or direction marks. */
export function plainNumber(text: string): string {
  return foldDigits(text).replace(marks, '').replace(otherCommas, ',').replace(spaces, '');
}

/**
 * Reads an amount as a cashier types or pastes it. Digits before the point are whole units (`12` is KWD 12.000, `12.5`
 * is KWD 12.500). Latin or Arabic digits, and `KWD 1,250.500` too. A lone comma (`12,500`) could mean either, so it is
 * refused unless the currency has no decimals.
 *
 * @returns minor units above zero, or the problem
 */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const exponent = currencyExponent(currency);
  if (exponent === null) return { ok: false, problem: 'unknown_currency' };
  const plain = plainNumber(text).replace(currency, '').replace(currencySign(currency, 'ar'), '');
  if (plain === '') return { ok: false, problem: 'empty' };
  const shape = exponent === 0 ? shapeWithoutDecimals : shapeWithDecimals;
  const match = shape.exec(plain);
  if (match === null) return { ok: false, problem: 'not_a_number' };
  const [, sign = '', whole = '', fraction = ''] = match;
  if (sign === '-') return { ok: false, problem: 'negative' };
  if (fraction.length > exponent) return { ok: false, problem: 'too_many_decimals' };
  const amountMinor = Number(whole.replaceAll(',', '') + fraction.padEnd(exponent, '0'));
  if (!Number.isSafeInteger(amountMinor)) return { ok: false, problem: 'too_large' };
  if (amountMinor === 0) return { ok: false, problem: 'zero' };
  return { ok: true, amountMinor };
}
