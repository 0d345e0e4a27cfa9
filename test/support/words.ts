import { type Part, partsOf, type WordsOf } from '../../renderer/copy/parts.ts';

/** The words of a part in the two languages that tests read. */
export async function wordsIn<Name extends Part>(part: Name): Promise<Readonly<Record<'en' | 'ar', WordsOf<Name>>>> {
  const [en, ar] = await Promise.all([partsOf('en')[part](), partsOf('ar')[part]()]);
  return { en: en.words, ar: ar.words };
}
