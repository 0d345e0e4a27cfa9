import type { Locale } from '../../shared/till/locales.ts';

/** The forms that a language has for counts (CLDR); `other` always stands. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** How a language counts: the form for a count, in which `#` becomes the count as written. */
export function countIn(locale: Locale): (count: number, written: string, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, written, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', written);
}
