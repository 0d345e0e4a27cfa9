import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { currency, text } from '../../shared/contract/primitives.ts';
import { locales, modes } from '../../shared/till/views.ts';

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The rest would be left out of every request, and a password in it would be shown wherever the address is. */
function isAddressAlone(address: string): boolean {
  const { username, password } = new URL(address);
  return username === '' && password === '' && !/[?#]/.test(address);
}

/** Stands in made references, which have 255 characters in all. */
const referencePart = text
  .max(64, 'must have at most 64 characters')
  .regex(/^[A-Za-z0-9_.-]+$/, 'may have letters, digits, dot, dash and underscore');

/** The settings of one till (design "Running it"), with what holds when nothing is set. */
export const settingsSchema = z.strictObject({
  mode: z.enum(modes).default('sandbox'),
  /** The service's address up to and with `/v1`. In sandbox mode null is the embedded service. */
  base_url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address', abort: true })
    .refine(isAddressAlone, 'must be an address alone, without a user name, a password, ? or #')
    .transform((address) => address.replace(/\/+$/, ''))
    .nullable()
    .default(null),
  api_key: text.nullable().default(null),
  offline_window_hours: z.number().positive().max(8760).default(72),
  time_zone: z.string().refine(isTimeZone, 'is not a time zone such as Asia/Kuwait').default('Asia/Kuwait'),
  day_starts_at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 05:00')
    .default('05:00'),
  device_name: text.default('Till 1'),
  device_ref: referencePart.default('till1'),
  branch_ref: referencePart.default('main'),
  /** Stands on what is taken at the screen while no cashier has signed in. */
  employee_ref: text.nullable().default(null),
  currency: currency.default('KWD'),
  /** `template_id=Name` each: which card a new customer can be given; none: the one that the service has for all. */
  enroll_templates: z
    .array(text.regex(/^[^=]*[^=\s]=.*\S/, 'must be a template_id, an equals sign, and a name for the cashier'))
    .max(12)
    .default([]),
  locale: z.enum(locales).default('en'),
  /** Stands before the references of the first POS program, of the screen, and of all others before their own prefix. */
  reference_prefix: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,15}$/, 'must be 1 to 16 letters, digits, dots, dashes or underscores')
    .nullable()
    .default(null),
  card_pattern: z.string().min(1).refine(isPattern, 'is not a regular expression').nullable().default(null),
  bridge: z
    .strictObject({
      port: z.int().min(0).max(65535).default(7425),
      /** Web origins that may call the bridge; none by default, so that no web page on the till reaches it. */
      origins: z.array(z.url()).default([]),
      /** What needs the service is answered within this time, with or without the service's answer. */
      answer_within_ms: z.int().min(2_000).max(60_000).default(8_000),
    })
    .prefault({}),
  limits: z
    .strictObject({
      max_queue: z.int().positive().default(1_000_000),
      max_amount_minor: z.int().positive().default(100_000_000),
      confirm_above_minor: z.int().positive().nullable().default(1_000_000),
    })
    .prefault({}),
  /** Each day at `hour` in `time_zone` into `folder`, which has to be there; without one nothing is backed up. */
  backup: z
    .strictObject({
      hour: z.int().min(0).max(23).default(3),
      folder: text.refine(isAbsolute, 'must be a full path, such as /mnt/backup/till-1').nullable().default(null),
      /** Of each mode so many are kept; older ones that this till has made are removed. */
      keep: z.int().min(1).max(1000).default(14),
    })
    .prefault({}),
  retention_days: z.int().min(1).max(3650).default(30),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
