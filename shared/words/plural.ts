import type { Locale } from '../till/locales.ts';

/** The forms that a language has for counts (CLDR); `other` is always there. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** A count in words. @param written the count as it is written in the language */
export type Counted = (value: number, written: string) => string;

/** Returns a language's form for a count. In the form, `#` becomes the written count. */
export function countIn(locale: Locale): (count: number, written: string, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, written, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', written);
}
