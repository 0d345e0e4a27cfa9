/**
 * A text in the letters that every printer has, with plain spaces, quotes and dots. Direction marks are removed,
 * because only lines with Arabic need them.
 *
 * @returns null when a letter remains that is not plain
 */
export function plainLetters(text: string): string | null {
  const plain = text
    .replace(/[\u2066-\u2069\u200e\u200f]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\u2022/g, '*');
  return /^[\x20-\x7e]*$/.test(plain) ? plain : null;
}
