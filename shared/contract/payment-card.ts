/** The problem of a text that holds a payment card's number. */
export const paymentCardProblem = 'must not hold the number of a payment card: take it out';

const leastDigits = 13;
const mostDigits = 19;

/** How payment cards begin, and how many digits they have (ISO/IEC 7812; the schemes' own ranges). */
const schemes: readonly { readonly start: RegExp; readonly lengths: readonly number[] }[] = [
  { start: /^4/, lengths: [13, 16, 19] },
  { start: /^(?:5[1-5]|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720))/, lengths: [16] },
  { start: /^3[47]/, lengths: [15] },
  { start: /^3(?:0[0-5]|[689])/, lengths: [14, 16, 19] },
  { start: /^35(?:2[89]|[3-8]\d)/, lengths: [16, 17, 18, 19] },
  { start: /^6(?:011|22|4[4-9]|5)/, lengths: [16, 17, 18, 19] },
  { start: /^(?:50|5[6-8]|6[37])/, lengths: [13, 14, 15, 16, 17, 18, 19] },
];

/** Each of these characters stays one character. NFKC may turn another one into several digits. */
const isPlain = /^[\x20-\x7e]*$/;

/**
 * Whether a text that people write holds a payment card's number, which this software must not store. Only for free
 * text: a loyalty card's number or a counted reference may look the same.
 */
export function holdsPaymentCard(text: string): boolean {
  if (text.length < leastDigits && isPlain.test(text)) return false;
  // Digits with at most three other characters between them, and with no letter beside them. Made here, and not with each
  // start: V8 looks up all letters of Unicode for it.
  const digitRuns = /(?<![\p{L}\p{N}])\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd})*(?![\p{L}\p{N}])/gu;
  // Any characters between groups of digits, also invisible ones, but no letter and no digit.
  const separator = /[^\p{L}\p{N}]{1,3}/u;
  return [...text.normalize('NFKC').matchAll(digitRuns)].some(([run]) =>
    isCardAmong(run.split(separator).map(digitsOf)),
  );
}

/** Whether some groups in a row are a card's number. A date may come before them. */
function isCardAmong(groups: readonly string[]): boolean {
  return groups.some((_, from) => {
    let digits = '';
    for (const group of groups.slice(from)) {
      digits += group;
      if (digits.length > mostDigits) return false;
      if (isPaymentCard(digits)) return true;
    }
    return false;
  });
}

function isPaymentCard(digits: string): boolean {
  if (digits.length < leastDigits || digits.length > mostDigits || new Set(digits).size === 1) return false;
  return schemes.some(({ start, lengths }) => start.test(digits) && lengths.includes(digits.length)) && hasLuhn(digits);
}

/** Reads the digits of any script. In Unicode the ten digits of a script are in order. */
function digitsOf(run: string): string {
  return Array.from(run, (character) => String(digitValue(character))).join('');
}

function digitValue(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (codePoint - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return codePoint - zero;
}

/** ISO/IEC 7812-1, annex B. */
function hasLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
