import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AmountProblem,
  currencyExponent,
  formatMoney,
  minorToDecimalText,
  parseAmount,
} from '../../shared/money.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const currencyCodes = letters
  .flatMap((first) => letters.flatMap((second) => letters.map((third) => first + second + third)))
  .filter((code) => currencyExponent(code) !== null);

/** Funds, metals, testing and the like: in ISO 4217 without minor units, so no sale has them. */
const withoutMinorUnits = ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'];

/** Where Unicode's data, made for showing money, has fewer digits than ISO 4217, or codes that ISO has withdrawn. */
const isoExponents: Readonly<Record<string, number>> = {
  AFN: 2,
  ALL: 2,
  COP: 2,
  IDR: 2,
  IQD: 3,
  IRR: 2,
  KPW: 2,
  LAK: 2,
  LBP: 2,
  MGA: 2,
  MMK: 2,
  PKR: 2,
  RSD: 2,
  SOS: 2,
  SYP: 2,
  TZS: 2,
  UZS: 2,
  YER: 2,
  CLF: 4,
  UYW: 4,
  UYI: 0,
  HUF: 2,
  TWD: 2,
  GYD: 2,
  MRU: 2,
  MUR: 2,
  SLE: 2,
};

describe('the currencies', () => {
  it.each([
    ['KWD', 3],
    ['BHD', 3],
    ['OMR', 3],
    ['JOD', 3],
    ['IQD', 3],
    ['LYD', 3],
    ['TND', 3],
    ['USD', 2],
    ['EUR', 2],
    ['SAR', 2],
    ['AED', 2],
    ['QAR', 2],
    ['EGP', 2],
    ['MRU', 2],
    ['MGA', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['UGX', 0],
    ['VND', 0],
    ['CLP', 0],
    ['CLF', 4],
  ])('%s has %i decimals', (currency, exponent) => {
    expect(currencyExponent(currency)).toBe(exponent);
  });

  it.each(['kwd', 'KW', 'KWDD', '', 'XXX', 'XTS', 'XAU', 'ZZZ', 'BTC', 'toString', '__proto__'])(
    '%j is none',
    (code) => {
      expect(currencyExponent(code)).toBeNull();
    },
  );

  it('are as many as ISO 4217 has with minor units', () => {
    for (const code of withoutMinorUnits) expect(currencyCodes).not.toContain(code);
    expect(currencyCodes.length).toBeGreaterThan(150);
  });

  it('agree with Unicode’s data wherever that follows ISO 4217', () => {
    const disagreeing: string[] = [];
    for (const code of currencyCodes) {
      const { maximumFractionDigits } = new Intl.NumberFormat('en', {
        style: 'currency',
        currency: code,
      }).resolvedOptions();
      const expected = isoExponents[code] ?? maximumFractionDigits;
      if (currencyExponent(code) !== expected)
        disagreeing.push(`${code}: ${currencyExponent(code)}, expected ${expected}`);
    }
    expect(disagreeing).toEqual([]);
  });
});

describe('minor units as text', () => {
  it.each([
    [12_500, 3, '12.500'],
    [1, 3, '0.001'],
    [0, 3, '0.000'],
    [-1, 3, '-0.001'],
    [-12_500, 3, '-12.500'],
    [5, 2, '0.05'],
    [100, 2, '1.00'],
    [7, 0, '7'],
    [-7, 0, '-7'],
    [12_345, 4, '1.2345'],
    [Number.MAX_SAFE_INTEGER, 3, '9007199254740.991'],
    [Number.MAX_SAFE_INTEGER, 0, '9007199254740991'],
  ])('%i with %i decimals is %s', (amountMinor, exponent, text) => {
    expect(minorToDecimalText(amountMinor, exponent)).toBe(text);
  });

  it('is shown with its currency, in the digits of the place', () => {
    expect(formatMoney(12_500, 'KWD', 'en')).toBe('KWD\u00a012.500');
    expect(formatMoney(1_234_567_891, 'KWD', 'en')).toBe('KWD\u00a01,234,567.891');
    expect(formatMoney(12_500, 'JPY', 'en')).toBe('JPY\u00a012,500');
    expect(formatMoney(12_500, 'KWD', 'ar-u-nu-arab')).toBe('١٢٫٥٠٠\u00a0د.ك');
    expect(formatMoney(Number.MAX_SAFE_INTEGER, 'KWD', 'en')).toBe('KWD\u00a09,007,199,254,740.991');
  });

  it('of a currency that is none shows the bare units, never a guess', () => {
    expect(formatMoney(12_500, 'ZZZ', 'en')).toBe('ZZZ\u00a012,500');
  });
});

describe('an amount as it is typed', () => {
  it.each([
    ['12', 'KWD', 12_000],
    ['12.5', 'KWD', 12_500],
    ['12.500', 'KWD', 12_500],
    ['.5', 'KWD', 500],
    ['5.', 'KWD', 5_000],
    ['0.001', 'KWD', 1],
    ['007', 'KWD', 7_000],
    ['  12.5  ', 'KWD', 12_500],
    ['12', 'USD', 1_200],
    ['12.05', 'USD', 1_205],
    ['12', 'JPY', 12],
    ['12,500', 'JPY', 12_500],
    ['١٢٫٥', 'KWD', 12_500],
    ['۱۲٫۵', 'KWD', 12_500],
    ['١٢.٥', 'KWD', 12_500],
    ['١٬٢٥٠٫٥', 'KWD', 1_250_500],
    ['KWD 1,250.500', 'KWD', 1_250_500],
    ['1,250.5 KWD', 'KWD', 1_250_500],
    ['KWD\u00a012.500', 'KWD', 12_500],
    ['12.500 د.ك', 'KWD', 12_500],
    ['\u200f١٢٫٥٠٠\u200e', 'KWD', 12_500],
    ['1,234,567.8', 'USD', 123_456_780],
    ['1 234 567.8', 'USD', 123_456_780],
    ['12\u202f500', 'JPY', 12_500],
    ['9007199254740.991', 'KWD', Number.MAX_SAFE_INTEGER],
  ])('%j in %s is %i', (text, currency, amountMinor) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, amountMinor });
  });

  it.each<[string, string, AmountProblem]>([
    ['', 'KWD', 'empty'],
    ['   ', 'KWD', 'empty'],
    ['KWD', 'KWD', 'empty'],
    ['\u200f', 'KWD', 'empty'],
    ['12,500', 'KWD', 'not_a_number'],
    ['1,5', 'KWD', 'not_a_number'],
    ['١٢٬٥', 'KWD', 'not_a_number'],
    ['١٢٬٥٠٠', 'KWD', 'not_a_number'],
    ['12 5', 'KWD', 'not_a_number'],
    ['12 500', 'KWD', 'not_a_number'],
    ['12.5 00', 'KWD', 'not_a_number'],
    ['12.5.0', 'KWD', 'not_a_number'],
    ['.', 'KWD', 'not_a_number'],
    ['abc', 'KWD', 'not_a_number'],
    ['1e3', 'KWD', 'not_a_number'],
    ['0x10', 'KWD', 'not_a_number'],
    ['12 USD', 'KWD', 'not_a_number'],
    ['+5', 'KWD', 'not_a_number'],
    ['1,25.5', 'KWD', 'not_a_number'],
    ['12,50', 'JPY', 'not_a_number'],
    ['NaN', 'KWD', 'not_a_number'],
    ['Infinity', 'KWD', 'not_a_number'],
    ['½', 'KWD', 'not_a_number'],
    ['--5', 'KWD', 'not_a_number'],
    ['12.3456', 'KWD', 'too_many_decimals'],
    ['12.0000', 'KWD', 'too_many_decimals'],
    ['1.234', 'USD', 'too_many_decimals'],
    ['12.0', 'JPY', 'too_many_decimals'],
    ['-5', 'KWD', 'negative'],
    ['−5', 'KWD', 'negative'],
    ['-0', 'KWD', 'negative'],
    ['0', 'KWD', 'zero'],
    ['0.000', 'KWD', 'zero'],
    ['٠', 'KWD', 'zero'],
    ['9007199254740.992', 'KWD', 'too_large'],
    ['9'.repeat(400), 'KWD', 'too_large'],
    ['5', 'ZZZ', 'unknown_currency'],
    ['', 'kwd', 'unknown_currency'],
  ])('%j in %s is refused: %s', (text, currency, problem) => {
    expect(parseAmount(text, currency)).toEqual({ ok: false, problem });
  });

  it('reads back what is shown, in every currency and in both kinds of digits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.constantFrom(...currencyCodes),
        fc.constantFrom('en', 'ar', 'ar-KW', 'ar-u-nu-arab', 'fa-u-nu-arabext'),
        (amountMinor, currency, locale) => {
          expect(parseAmount(minorToDecimalText(amountMinor, currencyExponent(currency) ?? 0), currency)).toEqual({
            ok: true,
            amountMinor,
          });
          expect(
            parseAmount(formatMoney(amountMinor, currency, locale), currency),
            formatMoney(amountMinor, currency, locale),
          ).toEqual({ ok: true, amountMinor });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('never gives anything but whole minor units above zero, whatever the text', () => {
    const pieces = fc.constantFrom('0', '1', '9', '.', ',', '-', ' ', 'KWD', '٥', '٫', '٬', 'e', '\u200f', 'د.ك', '٠');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        fc.constantFrom('KWD', 'USD', 'JPY', 'CLF'),
        (text, currency) => {
          const parsed = parseAmount(text, currency);
          if (parsed.ok) {
            expect(Number.isSafeInteger(parsed.amountMinor)).toBe(true);
            expect(parsed.amountMinor).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
