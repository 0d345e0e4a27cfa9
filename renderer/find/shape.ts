import type { Identifier } from '../../shared/contract/identifier.ts';
import { plainText } from '../../shared/lib/digits.ts';

export const lookUpKinds = ['card', 'phone', 'email'] as const;
/** What a cashier can find a customer by. */
export type LookUpKind = (typeof lookUpKinds)[number];

/** What a text looks like. `unclear` is neither: a product's bar code, or a broken e-mail address. */
export type Shape = LookUpKind | 'empty' | 'unclear';

/** A request for a customer: the kind of text, and the text without blanks around it. */
export interface LookUp {
  readonly kind: LookUpKind;
  readonly text: string;
  /** The customer entered this at the customers' screen, and no cashier has confirmed them yet. */
  readonly isCheckIn?: boolean;
}

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phoneCharacters = /^\+?[\d\s().-]+$/;
/** Number of digits. E.164 allows at most 15, and no number has fewer than 7 with its country code. */
export const internationalPhone = { min: 7, max: 15 };
/** Number of digits of a local number, which has no `+`. Longer runs of digits are card numbers. */
export const localPhone = { min: 7, max: 11 };

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

/** Whether a code is a card by the settings' own pattern. False when there is no pattern. */
export function matchesCardPattern(code: string, cardPattern: string | null): boolean {
  return compile(cardPattern)?.test(plainText(code)) === true;
}

/** @param plain see `plainText` */
export function isEmail(plain: string): boolean {
  return emailShape.test(plain);
}

/** Whether the text has only characters of phone numbers. @param plain see `plainText` */
export function hasPhoneCharacters(plain: string): boolean {
  return phoneCharacters.test(plain);
}

/** The look-up as an identifier of the service's contract. */
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

// The settings check the pattern. A broken pattern that still gets here must not stop the screen.
function compile(cardPattern: string | null): RegExp | null {
  if (cardPattern === null) return null;
  try {
    return new RegExp(`^(?:${cardPattern})$`, 'u');
  } catch {
    return null;
  }
}
