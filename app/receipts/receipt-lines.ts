import { plainLetters } from './plain-letters.ts';
import type { Receipt } from './receipt.ts';

/**
 * The lines of a receipt as text, for a program that prints them on its own receipt. They are in plain letters where
 * that is possible.
 */
export function receiptLines({ shop, hero, said, progress, facts }: Receipt): readonly string[] {
  const lines = [
    ...(shop === null ? [] : [shop]),
    hero,
    ...said,
    ...(progress === null ? [] : [progress.text]),
    ...facts.map(({ label, value }) => `${label}: ${value}`),
  ];
  return lines.map((line) => plainLetters(line) ?? line);
}
