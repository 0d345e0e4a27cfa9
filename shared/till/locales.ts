/** What the screen must know about a language before it loads its words. */
interface LocaleFacts {
  /** The language's name in the language itself. */
  readonly name: string;
  /** The tag for `Intl`, which writes numbers and times: `ar-KW` has Arabic digits, `en-GB` a 24-hour clock. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The letters of the touch keys. */
  readonly letters: 'latin' | 'arabic';
}

/** The languages of the screen, one row each. The words of a language are in `renderer/copy/<its key here>`. */
export const localeTable = {
  en: { name: 'English', tag: 'en-GB', direction: 'ltr', letters: 'latin' },
  ar: { name: 'العربية', tag: 'ar-KW', direction: 'rtl', letters: 'arabic' },
} as const satisfies Readonly<Record<string, LocaleFacts>>;

export type Locale = keyof typeof localeTable;

export const locales = Object.keys(localeTable) as readonly Locale[];

/** @returns null when the screen does not have this language */
export function localeNamed(name: string | null): Locale | null {
  return locales.find((locale) => locale === name) ?? null;
}

/** The next language, for a button that switches. */
export function otherLocale(locale: Locale): Locale {
  return locales[(locales.indexOf(locale) + 1) % locales.length] ?? locale;
}
