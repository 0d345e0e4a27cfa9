import { useModel } from '../model.ts';
import type { Part, WordsOf } from './parts.ts';

/** The words of a part that was fetched with the component (`loadLater`). */
export function useWords<Name extends Part>(part: Name): WordsOf<Name> {
  return useModel().frame.copy.wordsOf(part);
}
