/** What the screen has to know of a language before any word of it. */
interface LocaleFacts {
  /** In the language itself. */
  readonly name: string;
  /** As `Intl` writes numbers and times in it: `ar-KW` has Arabic digits, `en-GB` a 24-hour clock. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The letters of the touch keys. */
  readonly letters: 'latin' | 'arabic';
}

/** The languages of the screen, one row each; the words of one are the folder `renderer/copy/<its key here>`. */
export const localeTable = {
  en: { name: 'English', tag: 'en-GB', direction: 'ltr', letters: 'latin' },
  ar: { name: 'العربية', tag: 'ar-KW', direction: 'rtl', letters: 'arabic' },
} as const satisfies Readonly<Record<string, LocaleFacts>>;

export type Locale = keyof typeof localeTable;

export const locales = Object.keys(localeTable) as readonly Locale[];

/** @returns null when the screen does not speak it */
export function localeNamed(name: string | null): Locale | null {
  return locales.find((locale) => locale === name) ?? null;
}

/** The next one, to be switched to in one press. */
export function otherLocale(locale: Locale): Locale {
  return locales[(locales.indexOf(locale) + 1) % locales.length] ?? locale;
}
