import { foldDigits } from '../../shared/lib/digits.ts';
import { currencyExponent, minorToDecimalText, parseAmount, plainNumber } from '../../shared/money.ts';
import type { SettingKind, SettingSection, ShownSetting } from '../../shared/till/settings-views.ts';
import type { IconName } from '../components/icon.tsx';
import type { SettingsWords } from '../copy/en/settings.ts';

/** A part of the screen: one of settings, or that of the people. */
export type SectionName = SettingSection | 'people';

/** The parts in the order of the screen. The agent says which settings are in each part. */
export const sectionIcons: Readonly<Record<SectionName, IconName>> = {
  service: 'plug-zap',
  till: 'store',
  sales: 'banknote',
  data: 'hard-drive',
  pos: 'monitor',
  people: 'users',
};
export const sectionNames = Object.keys(sectionIcons) as readonly SectionName[];

/** The words for a setting: `wrong` is what to do about a value that is not accepted. */
interface FieldWords {
  readonly label: string;
  readonly note: string;
  readonly wrong: string;
}

/** A setting without words yet is called by its own name. */
export function fieldWords(words: SettingsWords, name: string): FieldWords {
  const known: Readonly<Record<string, FieldWords>> = words.fields;
  return known[name] ?? { label: name, note: '', wrong: words.save.needsLook };
}

/** The id of the setting's control on the page. */
export function idOf({ name }: Pick<ShownSetting, 'name'>): string {
  return `setting-${name.replace('.', '-')}`;
}

/** A setting's value as the text of its field. @param currency the currency of amounts of money */
export function textOf(kind: SettingKind, value: unknown, currency: string): string {
  if (value === null || value === undefined) return '';
  if (kind === 'money' && typeof value === 'number') return minorToDecimalText(value, currencyExponent(currency) ?? 0);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

type FieldValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** The typed text as the setting's value. An empty text sets the setting back to its default. */
export function valueTyped(kind: SettingKind, text: string, currency: string): FieldValue {
  const typed = text.trim();
  if (typed === '') return { ok: true, value: null };
  switch (kind) {
    case 'money': {
      const amount = parseAmount(typed, currency);
      return amount.ok ? { ok: true, value: amount.amountMinor } : { ok: false };
    }
    case 'number': {
      const plain = plainNumber(typed);
      const isNumber = /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain);
      return isNumber ? { ok: true, value: Number(plain.replaceAll(',', '')) } : { ok: false };
    }
    case 'time':
      return { ok: true, value: foldDigits(typed) };
    case 'list':
      return { ok: true, value: typed.split(/[\s,،]+/).filter((part) => part !== '') };
    // A name may have several words, so a space does not separate names.
    case 'names':
      return { ok: true, value: typed.split(/\s*[,،\n]\s*/).filter((part) => part !== '') };
    case 'code':
    case 'mode':
    case 'address':
    case 'key':
    case 'text':
    case 'language':
    case 'zone':
    case 'switch':
    case 'distance':
      return { ok: true, value: typed };
  }
}
