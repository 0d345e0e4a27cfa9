import { z } from 'zod';

/** One setting as it may be shown: of `api_key` never more than its kind and its last characters. */
export const settingFactSchema = z.object({
  /** Dotted: `bridge.port`. */
  name: z.string(),
  /** Of a key that only another program or user of this machine can read: `sealed`. */
  value: z.unknown(),
  source: z.enum(['flag', 'environment', 'managed', 'saved', 'last_start', 'default']),
  /** A flag, a variable or the deployed file says it: it cannot be changed at the till. */
  locked: z.boolean(),
});

/** The parts of the settings screen in which there are settings. */
const settingSectionSchema = z.enum(['service', 'till', 'sales', 'data', 'pos']);
export type SettingSection = z.output<typeof settingSectionSchema>;

/** How a setting is shown and typed. A code is in Latin letters, whatever the language of the screen. */
const settingKindSchema = z.enum([
  'mode',
  'language',
  'address',
  'key',
  'text',
  'code',
  'money',
  'number',
  'zone',
  'time',
  'list',
  'names',
  'switch',
  'distance',
]);
export type SettingKind = z.output<typeof settingKindSchema>;

/** The same for the screen: where a setting stands there, how it is typed, and what an empty field stands for. */
const shownSettingSchema = settingFactSchema.extend({
  section: settingSectionSchema,
  kind: settingKindSchema,
  default_value: z.unknown(),
});
export type ShownSetting = z.output<typeof shownSettingSchema>;

/** What is wrong with one setting, in English; an empty `field` is the whole file. */
export const settingProblemSchema = z.object({ field: z.string(), problem: z.string() });

/** How many operations of each mode still have a way to go. */
const waitingSchema = z.object({ sandbox: z.int(), production: z.int() });

/** The settings as they hold from the next start on. */
export const settingsViewSchema = z.object({
  /** Empty when they would refuse a start; `problems` then say why. */
  settings: z.array(settingFactSchema).readonly(),
  problems: z.array(settingProblemSchema).readonly(),
  /** Bad files whose last good content is used, and names that no setting has. */
  warnings: z.array(z.string()).readonly(),
  waiting: waitingSchema,
  /** The running agent was started with others. */
  restart_needed: z.boolean(),
  /** Nobody has said yet which mode this till is for: the first run of a packaged app. */
  asks_mode: z.boolean(),
});
/** The same for the screen. */
export const shownSettingsSchema = settingsViewSchema.extend({ settings: z.array(shownSettingSchema).readonly() });
export type ShownSettings = z.output<typeof shownSettingsSchema>;

/** What became of a change of settings. */
export const settingsChangedSchema = z.discriminatedUnion('kind', [
  /** Everything of it is saved; with `restart_needed` it holds from the next start on. */
  z.object({ kind: z.literal('saved'), restart_needed: z.boolean() }),
  /** Nothing is saved; every bad field is named. */
  z.object({ kind: z.literal('refused'), problems: z.array(settingProblemSchema).readonly() }),
  /** Nothing is saved: operations wait that it concerns. Said again with `confirmed` it is. */
  z.object({ kind: z.literal('needs_confirmation'), waiting: waitingSchema }),
]);
