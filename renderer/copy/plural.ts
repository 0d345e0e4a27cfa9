/** The forms that a language has for counts (CLDR); `other` always stands. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

const rules = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') };

/** The form for a count; `#` in it becomes the count as written. */
export function plural(locale: keyof typeof rules, count: number, written: string, forms: PluralForms): string {
  return (forms[rules[locale].select(count)] ?? forms.other).replace('#', written);
}
