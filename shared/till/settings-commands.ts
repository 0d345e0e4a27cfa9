import { z } from 'zod';
import { connectionLineSchema } from './connection-check.ts';
import { pinSchema } from './operation-input.ts';
import { personFields, personSchema, tokenFactsSchema } from './people-views.ts';
import { settingProblemSchema, settingsChangedSchema, shownSettingsSchema } from './settings-views.ts';

/** A manager's PIN, on a till that has managers in either mode. */
const pin = pinSchema.optional();
/** Values by dotted name; null sets a setting back to its default. */
const patch = z.record(z.string(), z.unknown());
/** The agent checks these, and says which is wrong. */
const given = z.string().max(300);

const added = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('added'), person: personSchema }),
  z.object({ kind: z.literal('invalid'), field: z.enum(personFields), problem: z.string() }),
]);

/** The commands of the settings screen. */
export const settingsCommands = {
  /** Every setting with its source. */
  'settings.read': { input: z.object({ pin }), answer: shownSettingsSchema },
  /** Saves the whole patch or nothing. `restart_needed`: it holds only from the next start on. */
  'settings.change': {
    input: z.object({
      patch,
      /** The manager has seen how many waiting operations the change concerns. */
      confirmed: z.boolean().default(false),
      pin,
    }),
    answer: settingsChangedSchema,
  },
  /** Tests the connection with the patch applied, by one cheap request. Nothing is saved. */
  'settings.test_connection': {
    input: z.object({ patch, pin }),
    answer: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('tested'), lines: z.array(connectionLineSchema) }),
      z.object({ kind: z.literal('refused'), problems: z.array(settingProblemSchema) }),
    ]),
  },
  'tokens.list': { input: z.object({ pin }), answer: z.object({ tokens: z.array(tokenFactsSchema) }) },
  'tokens.make': {
    input: z.object({ name: given, prefix: given, pin }),
    answer: z.discriminatedUnion('kind', [
      /** The token is sent only this once. */
      z.object({ kind: z.literal('made'), token: z.string(), facts: tokenFactsSchema }),
      z.object({ kind: z.literal('invalid'), field: z.enum(['name', 'prefix']), problem: z.string() }),
    ]),
  },
  /** Revokes a token. The agent's own token is replaced by a new one. */
  'tokens.revoke': { input: z.object({ name: given, pin }), answer: z.object({ revoked: z.boolean() }) },
  'people.list': { input: z.object({ pin }), answer: z.object({ people: z.array(personSchema) }) },
  'people.add_manager': { input: z.object({ name: given, new_pin: given, pin }), answer: added },
  'people.add_cashier': {
    input: z.object({ name: given, employee_ref: given, badge: given, pin }),
    answer: added,
  },
  'people.remove': { input: z.object({ name: given, pin }), answer: z.object({ removed: z.boolean() }) },
} as const;
