import type { Identifier } from '../../shared/contract/identifier.ts';
import { foldDigits } from '../../shared/money.ts';

export const lookUpKinds = ['card', 'phone', 'email'] as const;
/** What a cashier names a customer by. */
export type LookUpKind = (typeof lookUpKinds)[number];

/** What a text was taken for. `unclear` fits none: a product's bar code, a broken e-mail address. */
export type Shape = LookUpKind | 'empty' | 'unclear';

/** A customer asked for: what it was taken for, and the text without blanks around it. */
export interface LookUp {
  readonly kind: LookUpKind;
  readonly text: string;
  /** Somebody at the customers' screen calls themselves so, and nobody at the till has taken them up. */
  readonly isCheckIn?: boolean;
}

const bidiMarks = /[\u200e\u200f\u061c\u2066-\u2069]/g;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phoneCharacters = /^\+?[\d\s().-]+$/;
/** In digits: E.164 has at most fifteen; no country has fewer than seven with its code. */
export const internationalPhone = { min: 7, max: 15 };
/** Without a `+`: a local number. Longer runs of digits are card numbers. */
export const localPhone = { min: 7, max: 11 };

/** What people type, made plain: Arabic digits folded, direction marks and blanks around it gone. */
export function plainText(text: string): string {
  return foldDigits(text.replace(bidiMarks, '')).trim();
}

/**
 * Tells a card, a phone and an e-mail apart by shape, typed or scanned.
 *
 * @param cardPattern regular expression that a card number matches whole (settings `card_pattern`); null: whatever is
 *   no phone and no e-mail is a card
 */
export function shapeOf(text: string, cardPattern: string | null): Shape {
  const plain = plainText(text);
  if (plain === '') return 'empty';
  if (plain.includes('@')) return isEmail(plain) ? 'email' : 'unclear';
  const pattern = compile(cardPattern);
  if (pattern?.test(plain)) return 'card';
  if (isPhone(plain)) return 'phone';
  return pattern === null ? 'card' : 'unclear';
}

/** Whether a code is a card by the settings' own pattern. False where there is no pattern: then nothing says so. */
export function matchesCardPattern(code: string, cardPattern: string | null): boolean {
  return compile(cardPattern)?.test(plainText(code)) === true;
}

/** @param plain see `plainText` */
export function isEmail(plain: string): boolean {
  return emailShape.test(plain);
}

/** Nothing in it that no phone number has. @param plain see `plainText` */
export function hasPhoneCharacters(plain: string): boolean {
  return phoneCharacters.test(plain);
}

/** The look-up in the words of the contract. */
export function identifierOf(lookUp: LookUp): Identifier {
  switch (lookUp.kind) {
    case 'card':
      return { loyalty_id: lookUp.text };
    case 'phone':
      return { phone: lookUp.text };
    case 'email':
      return { email: lookUp.text };
  }
}

function isPhone(plain: string): boolean {
  if (!hasPhoneCharacters(plain)) return false;
  const digits = plain.replace(/\D/g, '');
  const international = plain.startsWith('+') || digits.startsWith('00');
  const { min, max } = international ? internationalPhone : localPhone;
  const count = digits.startsWith('00') ? digits.length - 2 : digits.length;
  return count >= min && count <= max;
}

// The settings check the pattern; one that slipped through must not take the screen down.
function compile(cardPattern: string | null): RegExp | null {
  if (cardPattern === null) return null;
  try {
    return new RegExp(`^(?:${cardPattern})$`, 'u');
  } catch {
    return null;
  }
}
