import type { Locale } from '../../shared/till/locales.ts';
import type { parts } from './en/index.ts';

/** A part of the words: those of the start, or of a screen or dialog that comes later. */
export type Part = keyof typeof parts;

/** The words of a part in one language. */
export type WordsOf<Name extends Part> = Awaited<ReturnType<(typeof parts)[Name]>>['words'];

/** What the folder of a language has to export. */
export type PartLoaders = { readonly [Name in Part]: () => Promise<{ readonly words: WordsOf<Name> }> };

const folders = import.meta.glob<PartLoaders>('./*/index.ts', { eager: true, import: 'parts' });

/** Where the words of a language come from: its folder is found by its name. */
export function partsOf(locale: Locale): PartLoaders {
  const found = folders[`./${locale}/index.ts`];
  if (found === undefined) throw new Error(`The folder copy/${locale} is missing`);
  return found;
}
