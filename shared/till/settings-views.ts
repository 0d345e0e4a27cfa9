import { z } from 'zod';

/** One setting as it may be shown. Of `api_key` only the kind and the last characters. */
export const settingFactSchema = z.object({
  /** Dotted: `bridge.port`. */
  name: z.string(),
  /** The value; `sealed` for a key that only another program or user of this machine can read. */
  value: z.unknown(),
  source: z.enum(['flag', 'environment', 'managed', 'saved', 'last_start', 'default']),
  /** A flag, a variable or the deployed file sets it, so it cannot be changed at the till. */
  locked: z.boolean(),
});

/** The parts of the settings screen in which there are settings. */
const settingSectionSchema = z.enum(['service', 'till', 'sales', 'data', 'pos']);
export type SettingSection = z.output<typeof settingSectionSchema>;

/** How a setting is shown and typed. A code is in Latin letters in every language of the screen. */
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

/** One setting for the screen: its part of the screen, how it is typed, and what an empty field means. */
const shownSettingSchema = settingFactSchema.extend({
  section: settingSectionSchema,
  kind: settingKindSchema,
  default_value: z.unknown(),
});
export type ShownSetting = z.output<typeof shownSettingSchema>;

/** One problem of a setting, in English; an empty `field` means the whole file. */
export const settingProblemSchema = z.object({ field: z.string(), problem: z.string() });

/** How many operations of each mode are waiting; null where its database cannot be read, and may hold some. */
const waitingSchema = z.object({ sandbox: z.int().nullable(), production: z.int().nullable() }).readonly();
export type WaitingByMode = z.output<typeof waitingSchema>;

/** The settings that hold from the next start on. */
export const settingsViewSchema = z.object({
  /** Empty when the agent could not start with them; `problems` says why. */
  settings: z.array(settingFactSchema).readonly(),
  problems: z.array(settingProblemSchema).readonly(),
  /** Bad files that are replaced by their last good content, and names that no setting has. */
  warnings: z.array(z.string()).readonly(),
  waiting: waitingSchema,
  /** The running agent was started with other settings. */
  restart_needed: z.boolean(),
  /** The mode is not chosen yet: the first run of a packaged app. */
  asks_mode: z.boolean(),
});
/** The settings for the screen. */
export const shownSettingsSchema = settingsViewSchema.extend({ settings: z.array(shownSettingSchema).readonly() });
export type ShownSettings = z.output<typeof shownSettingsSchema>;

/** The result of a change of settings. */
export const settingsChangedSchema = z.discriminatedUnion('kind', [
  /** Everything is saved; with `restart_needed` it holds from the next start on. */
  z.object({ kind: z.literal('saved'), restart_needed: z.boolean() }),
  /** Nothing is saved; every bad field is named. */
  z.object({ kind: z.literal('refused'), problems: z.array(settingProblemSchema).readonly() }),
  /** Nothing is saved, because waiting operations are concerned, or may be. It is saved when asked again with `confirmed`. */
  z.object({ kind: z.literal('needs_confirmation'), waiting: waitingSchema }),
]);
