/** What is written before, between and behind the digits of a phone number. */
const punctuation = String.raw`[-x‐-―−ー－\s\u00ad\u200b\u2060()（）［］.[\]/／~⁓∼]`;
const beforePlus = new RegExp(`^(tel:)?${punctuation}+(?=[+＋])`, 'iu');
/** At least four digits, then an extension, if there is one (`ext. 7`, `;ext=7`, `#7`). */
const shape = new RegExp(
  `^(?:tel:)?[+＋]?(?:${punctuation}*\\p{Nd}){4,}${punctuation}*(?:[,;#＃～eｅxｘaｉiдД].*)?$`,
  'iu',
);

/** A phone number without what people write before its plus, as in `(+965) 9988 7766`: no parser takes it there. */
export function fromPlus(phone: string): string {
  return phone.replace(beforePlus, '$1');
}

/** Whether a text has the shape of a phone number, however it is grouped. */
export function hasPhoneShape(text: string): boolean {
  return shape.test(fromPlus(text));
}
