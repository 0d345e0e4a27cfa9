const bidiMarks = /[\u200e\u200f\u061c\u2066-\u2069]/g;
const foldedDigits = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Arabic-Indic and Persian digits, the Arabic decimal separator and the minus sign become ASCII. */
export function foldDigits(text: string): string {
  return text
    .replace(foldedDigits, (digit) => String(digit.charCodeAt(0) & 0x0f))
    .replace(/\u066b/g, '.')
    .replace(/\u2212/g, '-');
}

/** A typed text with Arabic digits made plain, and without direction marks and blanks around it. */
export function plainText(text: string): string {
  return foldDigits(text.replace(bidiMarks, '')).trim();
}
