import { z } from 'zod';
import { defaultCurrency } from '../../shared/contract/default-currency.ts';
import { currency } from '../../shared/contract/primitives.ts';
import type { Problem } from '../../shared/contract/problems.ts';
import { maxTtlMinutes } from '../../shared/contract/reservation.ts';
import { type Refusal, refuseFields } from './answer.ts';
import { isRegion, type Region } from './rules/phones.ts';
import { findTemplate } from './rules/templates.ts';
import type { StateStore } from './store/state-store.ts';
import { validate } from './validate.ts';

const count = z.int().min(1).max(1_000_000);
const duration = z.int().min(0).max(1_000_000_000);

/** The tenant's settings: what the specification leaves to a tenant, and what the sandbox lets a tester turn. */
export const settingsSchema = z.strictObject({
  currency,
  default_region: z.custom<Region>((value) => typeof value === 'string' && isRegion(value), {
    error: 'must be a region in two upper-case letters (ISO 3166), such as KW',
  }),
  /** From the acceptance of an earn or a reversal until it is applied. */
  apply_delay_ms: duration,
  /** How long after a sale its earn is still taken. */
  offline_window_hours: z.number().positive().max(100_000),
  /** How far a till's clock may be ahead. */
  future_tolerance_seconds: duration,
  reservation_ttl_minutes: z.int().min(1).max(maxTtlMinutes),
  otp: z.strictObject({ ttl_seconds: count, max_attempts: count, cooling_off_seconds: duration, send_budget: count }),
  rate_limit: z.strictObject({ requests: count, per_seconds: count }).nullable(),
  conversion: z.strictObject({ minor_per_point: z.number().positive().max(1e9) }).nullable(),
  default_template_id: z
    .string()
    .refine((id) => findTemplate(id) !== null, 'is not a template of this tenant')
    .nullable(),
  suspended: z.boolean(),
});
export type Settings = z.output<typeof settingsSchema>;

/** The settings at first; a currency that the shop's owner has named takes KWD's place (shop-currency.ts). gap: Offline earn window; Enrollment; Reservations; Errors and limits; Transactions. */
export const defaultSettings: Settings = {
  currency: defaultCurrency,
  default_region: 'KW',
  apply_delay_ms: 1000,
  offline_window_hours: 72,
  future_tolerance_seconds: 300,
  reservation_ttl_minutes: 15,
  otp: { ttl_seconds: 300, max_attempts: 5, cooling_off_seconds: 60, send_budget: 3 },
  rate_limit: null,
  conversion: null,
  default_template_id: 'tpl_reward',
  suspended: false,
};

type SettingsChange = { readonly kind: 'changed'; readonly settings: Settings } | Refusal;

/** The current settings, kept in the store and in memory beside it. */
export interface SettingsHolder {
  readonly current: Settings;
  /** Takes a part of the settings: objects are merged, null clears (to none, or else to the default). */
  patch(changes: Readonly<Record<string, unknown>>): SettingsChange;
  reset(): void;
  /** Takes back what was changed in a transaction of the store that came to nothing. */
  restore(settings: Settings): void;
}

/** @param defaults what a cleared setting, and all of them after a reset, go back to */
export function createSettings(state: StateStore, defaults: Settings): SettingsHolder {
  let current = state.read('settings', settingsSchema) ?? defaults;
  function keep(settings: Settings): void {
    state.write('settings', settings);
    current = settings;
  }
  return {
    get current() {
      return current;
    },
    patch(changes) {
      const unknown = unknownFields(changes);
      if (unknown.length > 0) return refuseFields(unknown);
      const validated = validate(settingsSchema, mergeSettings(current, changes, defaults));
      if (validated.kind === 'refused') return validated;
      keep(validated.value);
      return { kind: 'changed', settings: validated.value };
    },
    reset: () => keep(defaults),
    restore(settings) {
      current = settings;
    },
  };
}

function unknownFields(changes: Readonly<Record<string, unknown>>): Problem[] {
  return Object.keys(changes)
    .filter((name) => !Object.hasOwn(defaultSettings, name))
    .map((field) => ({ field, problem: 'is not a known setting' }));
}

function mergeSettings(
  current: Settings,
  changes: Readonly<Record<string, unknown>>,
  defaults: Settings,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...current };
  for (const [name, change] of Object.entries(changes)) {
    const before: unknown = merged[name];
    if (change === null) merged[name] = clearedValue(name, defaults);
    else if (isPlainObject(change) && isPlainObject(before)) merged[name] = mergeObject(before, change, name);
    else merged[name] = change;
  }
  return merged;
}

function mergeObject(before: object, change: Record<string, unknown>, name: string): Record<string, unknown> {
  const defaults: unknown = Reflect.get(defaultSettings, name);
  const changed = Object.entries(change).map(([field, value]) => [
    field,
    value === null && isPlainObject(defaults) ? defaults[field] : value,
  ]);
  // Made of entries, so that a field called `__proto__` is one to be refused like any other.
  return Object.fromEntries([...Object.entries(before), ...changed]);
}

/** Null where the setting may be off, else its default. */
function clearedValue(name: string, defaults: Settings): unknown {
  const schema: unknown = Reflect.get(settingsSchema.shape, name);
  return schema instanceof z.ZodNullable ? null : Reflect.get(defaults, name);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
