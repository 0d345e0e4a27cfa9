import { z } from 'zod';
import { personFields, personSchema, tokenFactsSchema } from '../../shared/till/people-views.ts';
import { settingFactSchema, settingsChangedSchema, settingsViewSchema } from '../../shared/till/settings-views.ts';
import { settingsSchema } from '../config/settings.ts';
import type { AddOutcome, PeopleCommands } from '../people/people.ts';
import { personView } from '../people/person-view.ts';
import { asker, officeCall } from './office-call.ts';
import { screenSession } from './office-sessions.ts';

const kioskName = z.string().regex(/^[\w.-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes or underscores');

const tokenFacts = tokenFactsSchema.extend({
  /** Whether it sees and takes back what other programs and the screen took. */
  shared: z.boolean(),
});

const person = personSchema.extend({
  /** False in an answer of an older version, which tells it of nobody. */
  has_pin: z.boolean().default(false),
});

const added = z.union([z.object({ person }), z.object({ field: z.enum(personFields), problem: z.string() })]);

const held = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('held'),
    settings: settingsSchema.omit({ api_key: true }),
    sources: z.record(z.string(), settingFactSchema.shape.source),
    hasApiKey: z.boolean(),
    isKeySealed: z.boolean(),
    keyTrouble: z.string().nullable(),
    warnings: z.array(z.string()).readonly(),
    fileFaults: z.array(z.string()).readonly(),
    fileDoubt: z.string().nullable(),
    areLost: z.boolean(),
    needsRestart: z.boolean(),
  }),
  z.object({ kind: z.literal('refused'), problems: z.array(z.string()).readonly() }),
]);

const finding = z.object({
  check: z.string(),
  verdict: z.enum(['well', 'warning', 'problem']),
  says: z.string(),
  advice: z.string().nullable(),
});

/** What store IT asks of those who may come in, and of the settings. */
export const accessCalls = {
  'tokens.list': officeCall({
    input: z.object({}),
    answer: z.object({ tokens: z.array(tokenFacts) }),
    reply: (_, { keys }) => ({ tokens: [...keys.tokens.list()] }),
  }),
  'tokens.make': officeCall({
    input: z.object({ ...asker, name: z.string(), prefix: z.string(), shared: z.boolean().default(false) }),
    answer: z.union([
      /** The token is told this once. */
      z.object({ token: z.string(), ...tokenFacts.shape }),
      z.object({ kind: z.literal('invalid'), field: z.enum(['name', 'prefix']), problem: z.string() }),
    ]),
    async reply({ name, prefix, shared: isShared, by = null }, { keys }) {
      const outcome = await keys.tokens.make(name, prefix, { nowMs: keys.nowMs(), isShared, by });
      return outcome.kind === 'made' ? { token: outcome.token, ...outcome.facts } : outcome;
    },
  }),
  'tokens.share': officeCall({
    input: z.object({ ...asker, name: z.string(), shared: z.boolean() }),
    answer: z.object({ found: z.boolean() }),
    reply: async ({ name, shared: isShared, by = null }, { keys }) => ({
      found: await keys.tokens.share(name, { isShared, by }),
    }),
  }),
  'tokens.revoke': officeCall({
    input: z.object({ ...asker, name: z.string() }),
    answer: z.object({ revoked: z.boolean() }),
    reply: async ({ name, by }, { keys }) => ({ revoked: await keys.tokens.revoke(name, by) }),
  }),
  /** Browsers that may open the cashier screen. */
  'sessions.list': officeCall({
    input: z.object({}),
    answer: z.object({ sessions: z.array(screenSession) }),
    reply: (_, { keys }) => ({ sessions: keys.sessions.list() }),
  }),
  'sessions.end': officeCall({
    input: z.object({ ...asker, session: z.string() }),
    answer: z.object({ ended: z.boolean() }),
    reply: ({ session, by = null }, { keys }) => ({ ended: keys.sessions.end(session, by) }),
  }),
  /** `url` works once; null while no screen is served. */
  'sessions.open': officeCall({
    input: z.object({ kiosk: kioskName.nullable() }),
    answer: z.object({ url: z.string().nullable() }),
    reply: ({ kiosk }, { keys }) => ({ url: keys.sessions.open(kiosk) }),
  }),
  'people.list': officeCall({
    input: z.object({}),
    answer: z.object({
      people: z.array(person),
      /** Names that are not on the list as this till wrote it; absent in an answer of an older version. */
      doubts: z
        .object({ changed: z.array(z.string()), missing: z.array(z.string()), is_list_whole: z.boolean() })
        .optional(),
    }),
    reply(_, { source }) {
      const { changed, missing, isRollWhole } = source.people.doubts();
      return {
        people: source.people.list().map((person) => personView(person, source.people)),
        doubts: { changed: [...changed], missing: [...missing], is_list_whole: isRollWhole },
      };
    },
  }),
  'people.add_manager': officeCall({
    input: z.object({ ...asker, name: z.string(), pin: z.string() }),
    answer: added,
    reply: async ({ name, pin, by }, { source }) =>
      addedView(await source.people.addManager(name, pin, by), source.people),
  }),
  'people.add_cashier': officeCall({
    input: z.object({ ...asker, name: z.string(), employee_ref: z.string(), badge: z.string() }),
    answer: added,
    reply: async ({ name, employee_ref, badge, by }, { source }) =>
      addedView(await source.people.addCashier({ name, employeeRef: employee_ref, badge }, by), source.people),
  }),
  'people.set_pin': officeCall({
    /** Null: the cashier has none any more. */
    input: z.object({ ...asker, name: z.string(), pin: z.string().nullable() }),
    answer: added,
    reply: async ({ name, pin, by }, { source }) =>
      addedView(await source.people.setCashierPin(name, pin, by), source.people),
  }),
  'people.remove': officeCall({
    input: z.object({ ...asker, name: z.string() }),
    answer: z.object({ removed: z.boolean() }),
    reply: async ({ name, by }, { source }) => ({ removed: await source.people.remove(name, by) }),
  }),
  'settings.list': officeCall({
    input: z.object({}),
    answer: settingsViewSchema,
    reply: (_, { keys }) => keys.settings.read(),
  }),
  /** What the agent was started with, by its own flags and variables; the key stays where it is. */
  'settings.held': officeCall({
    input: z.object({}),
    answer: held,
    reply: (_, { keys }) => keys.settings.held(),
  }),
  /** One cheap question to the service, with the agent's own address and key. */
  'service.check': officeCall({
    input: z.object({}),
    answer: z.object({ findings: z.array(finding) }),
    reply: async (_, { keys }) => ({ findings: [...(await keys.checkService())] }),
  }),
  'settings.change': officeCall({
    /** By dotted name; null takes a setting back. */
    input: z.object({ ...asker, patch: z.record(z.string(), z.unknown()), confirmed: z.boolean() }),
    answer: settingsChangedSchema,
    reply: ({ patch, confirmed, by = null }, { keys }) => keys.settings.change(patch, { isConfirmed: confirmed, by }),
  }),
};

function addedView(outcome: AddOutcome, people: Pick<PeopleCommands, 'hasPin'>): z.output<typeof added> {
  if (outcome.kind === 'added') return { person: personView(outcome.person, people) };
  return { field: outcome.field, problem: outcome.problem };
}
