import { currencyExponent, foldDigits, minorToDecimalText, parseAmount, plainNumber } from '../../shared/money.ts';
import type { SettingsWords } from '../copy/en/settings.ts';

export type FieldName = keyof SettingsWords['fields'];
export type SectionName = keyof SettingsWords['sections'];

/** How a setting is shown and typed. */
export type FieldKind =
  | 'mode'
  | 'address'
  | 'key'
  | 'text'
  /** A code in Latin letters, whatever the language of the screen. */
  | 'code'
  | 'language'
  | 'money'
  | 'number'
  | 'zone'
  | 'time'
  | 'list';

export interface FieldSpec {
  readonly name: FieldName;
  readonly kind: FieldKind;
}

export interface SectionSpec {
  readonly name: SectionName;
  readonly fields: readonly FieldSpec[];
}

/** The one table of what stands where, in the order of the screen. */
export const sections: readonly SectionSpec[] = [
  {
    name: 'service',
    fields: [
      { name: 'mode', kind: 'mode' },
      { name: 'base_url', kind: 'address' },
      { name: 'api_key', kind: 'key' },
    ],
  },
  {
    name: 'till',
    fields: [
      { name: 'device_name', kind: 'text' },
      { name: 'device_ref', kind: 'code' },
      { name: 'branch_ref', kind: 'code' },
      { name: 'reference_prefix', kind: 'code' },
      { name: 'employee_ref', kind: 'code' },
      { name: 'locale', kind: 'language' },
    ],
  },
  {
    name: 'sales',
    fields: [
      { name: 'currency', kind: 'code' },
      { name: 'limits.max_amount_minor', kind: 'money' },
      { name: 'limits.confirm_above_minor', kind: 'money' },
      { name: 'card_pattern', kind: 'code' },
      { name: 'enroll_templates', kind: 'list' },
      { name: 'time_zone', kind: 'zone' },
      { name: 'day_starts_at', kind: 'time' },
    ],
  },
  {
    name: 'data',
    fields: [
      { name: 'offline_window_hours', kind: 'number' },
      { name: 'limits.max_queue', kind: 'number' },
      { name: 'retention_days', kind: 'number' },
      { name: 'backup.folder', kind: 'code' },
      { name: 'backup.hour', kind: 'number' },
      { name: 'backup.keep', kind: 'number' },
    ],
  },
  {
    name: 'pos',
    fields: [
      { name: 'bridge.port', kind: 'number' },
      { name: 'bridge.origins', kind: 'list' },
      { name: 'bridge.answer_within_ms', kind: 'number' },
    ],
  },
  { name: 'people', fields: [] },
];

export const fieldSpecs: readonly FieldSpec[] = sections.flatMap(({ fields }) => fields);

export function sectionOf(name: string): SectionName | null {
  return sections.find(({ fields }) => fields.some((field) => field.name === name))?.name ?? null;
}

/** Of the control on the page. */
export function idOf({ name }: FieldSpec): string {
  return `setting-${name.replace('.', '-')}`;
}

/** A setting's value as it stands in its field. @param currency what money is written in */
export function textOf(kind: FieldKind, value: unknown, currency: string): string {
  if (value === null || value === undefined) return '';
  if (kind === 'money' && typeof value === 'number') return minorToDecimalText(value, currencyExponent(currency) ?? 0);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export type FieldValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** What was typed as the setting's value; empty takes the setting back to what it is without one. */
export function valueTyped(kind: FieldKind, text: string, currency: string): FieldValue {
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
    case 'code':
    case 'mode':
    case 'address':
    case 'key':
    case 'text':
    case 'language':
    case 'zone':
      return { ok: true, value: typed };
  }
}
