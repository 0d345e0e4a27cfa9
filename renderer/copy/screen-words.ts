import type { Locale } from '../../shared/till/views.ts';
import { useModel } from '../model.ts';

/**
 * The words of a screen that is loaded later: they come with it, and not with the sale.
 *
 * @param table every language's words; one that lacks a word does not compile
 */
export function useScreenWords<ScreenWords>(table: Readonly<Record<Locale, ScreenWords>>): ScreenWords {
  return table[useModel().frame.locale.value];
}
