import { z } from 'zod';
import { maxTextLength } from '../contract/limits.ts';

/** Control characters, and what ends a line or a paragraph. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const halfCharacterAtEnd = /[\ud800-\udbff]$/;

/**
 * A name that the service chose, as it is kept for the screen: in one line, well-formed, at most 255 UTF-16 units. Null
 * when nothing is left of it.
 */
export function shownName(name: string | null): string | null {
  const line = (name ?? '').toWellFormed().replace(breaks, ' ').trim();
  const cut = line.slice(0, maxTextLength).replace(halfCharacterAtEnd, '');
  return cut === '' ? null : cut;
}

/** A name that the page got from the service. Any string is taken, because nobody at the till can change it. */
export const namedByService = z.string().transform(shownName);
