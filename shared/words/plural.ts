import type { Locale } from '../till/locales.ts';

/** The forms that a language has for counts (CLDR); `other` always stands. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** A count in words. @param written the count as it is written in the language */
export type Counted = (value: number, written: string) => string;

/** How a language counts: the form for a count, in which `#` becomes the count as written. */
export function countIn(locale: Locale): (count: number, written: string, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, written, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', written);
}
