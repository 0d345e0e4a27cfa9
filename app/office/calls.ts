import { z } from 'zod';
import { freeText, text } from '../../shared/contract/primitives.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { activityInputSchema, activityPartSchema, operationDetailSchema } from '../../shared/till/activity-views.ts';
import { dayCommands } from '../../shared/till/day-commands.ts';
import { modes } from '../../shared/till/modes.ts';
import { settingsChangedSchema, settingsViewSchema } from '../../shared/till/settings-views.ts';
import { differences } from '../../shared/till/verify-names.ts';
import { operationViewSchema } from '../../shared/till/views.ts';
import { personNameKinds } from '../operations/person.ts';
import { personalParts } from '../operations/person-search.ts';

const named = { external_ref: text, intent: z.string().optional() };

/** Who asks, for the audit log. */
const asker = { by: text.optional() };

const kioskName = z.string().regex(/^[\w.-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes or underscores');

const personName = z.object({ kind: z.enum(personNameKinds), value: text });
const personalOperation = z.object({
  external_ref: z.string(),
  intent: z.string(),
  state: z.enum(operationStates),
  saved_at: z.iso.datetime(),
  /** What of it tells who the customer was. */
  holds: z.array(z.enum(personalParts)),
  /** The name that it is found by, also when nothing ties it to the others any more. */
  found_by: personName,
});
export type ShownPersonalOperation = z.output<typeof personalOperation>;
const personReport = {
  mode: z.enum(modes),
  database: z.string(),
  names: z.array(personName),
  operations: z.array(personalOperation),
  /** Of the time without a line. */
  profiles: z.int(),
  /** References of operations whose request nobody can read. */
  unreadable: z.array(z.string()),
};

const tokenFacts = {
  name: z.string(),
  reference_prefix: z.string(),
  /** Whether it sees and takes back what other programs and the screen took. */
  shared: z.boolean(),
  hint: z.string(),
  made_at: z.iso.datetime().nullable(),
  /** Since the agent began; null when it was not, or does not run. */
  last_used_at: z.iso.datetime().nullable(),
};

const person = z.object({
  name: z.string(),
  role: z.enum(['manager', 'cashier']),
  employee_ref: z.string().nullable(),
});

const added = z.union([
  z.object({ person }),
  z.object({ field: z.enum(['name', 'pin', 'badge', 'employee_ref']), problem: z.string() }),
]);

const decided = z.object({
  external_ref: z.string(),
  /** `done`, or why nothing was changed. */
  outcome: z.enum(['done', 'not_now', 'books_unread', 'not_found', 'not_saved', 'invalid']),
  operation: operationViewSchema.nullable(),
});
export type Decided = z.output<typeof decided>;

/** What a person decides about an operation that waits for one. */
const decision = {
  /** `person`: as typed; nobody has asked for a PIN. */
  input: z.object({ ...asker, ...named, reason: freeText, person: freeText.nullable() }),
  answer: decided,
};

/** What store IT asks of an agent, running or not: the one table of it. */
export const officeCalls = {
  'queue.list': {
    input: activityInputSchema,
    answer: activityPartSchema,
  },
  'queue.show': { input: z.object(named), answer: z.object({ operations: z.array(operationDetailSchema) }) },
  'queue.resend': decision,
  'queue.write_off': decision,
  'queue.keep': decision,
  'queue.take_back': decision,
  /** A part of the operations that were applied or taken back, compared with the service's books. */
  verify: {
    input: z.object({
      since: z.iso.datetime(),
      until: z.iso.datetime(),
      after_row: z.int().min(0).default(0),
      resend: z.boolean().default(false),
    }),
    answer: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('part'),
        checked: z.int(),
        erased: z.int(),
        differences: z.array(
          z.object({ operation: operationViewSchema, difference: z.enum(differences), resent: z.boolean() }),
        ),
        after_row: z.int().nullable(),
      }),
      z.object({ kind: z.literal('out_of_reach') }),
    ]),
  },
  'day.read': dayCommands['day.read'],
  'day.close': {
    /** `closed_by` counts only where nobody can sign in: else it is closed by whoever asks. */
    input: dayCommands['day.close'].input.extend(asker),
    answer: z.union([dayCommands['day.close'].answer, z.object({ kind: z.literal('not_saved') })]),
  },
  'day.list': dayCommands['day.list'],
  'profiles.erase': {
    input: z.object(asker),
    /** `not_reached`: files of the data folder in which something may be left. */
    answer: z.object({ erased: z.int(), not_reached: z.array(z.string()) }),
  },
  /** One person, in the agent's own database. */
  'customer.show': { input: personName, answer: z.object(personReport) },
  'customer.erase': {
    input: personName.extend({ ...asker, elsewhere: z.int().min(0) }),
    /** `log_left`: another program reads the database, and something may be left in its log. `gap_left`: the disk is full, and in the gaps of its file. */
    answer: z.object({
      ...personReport,
      stays: z.array(personalOperation),
      log_left: z.boolean(),
      gap_left: z.boolean(),
    }),
  },
  'tokens.list': { input: z.object({}), answer: z.object({ tokens: z.array(z.object(tokenFacts)) }) },
  'tokens.make': {
    input: z.object({ ...asker, name: z.string(), prefix: z.string(), shared: z.boolean().default(false) }),
    answer: z.union([
      /** The token is told this once. */
      z.object({ token: z.string(), ...tokenFacts }),
      z.object({ kind: z.literal('invalid'), field: z.enum(['name', 'prefix']), problem: z.string() }),
    ]),
  },
  'tokens.share': {
    input: z.object({ ...asker, name: z.string(), shared: z.boolean() }),
    answer: z.object({ found: z.boolean() }),
  },
  'tokens.revoke': { input: z.object({ ...asker, name: z.string() }), answer: z.object({ revoked: z.boolean() }) },
  /** Browsers that may open the cashier screen. */
  'sessions.list': {
    input: z.object({}),
    answer: z.object({
      sessions: z.array(
        z.object({
          session: z.string(),
          kiosk: z.string().nullable(),
          made_at: z.iso.datetime(),
          /** When a page was opened with it last. */
          seen_at: z.iso.datetime(),
          ends_at: z.iso.datetime(),
        }),
      ),
    }),
  },
  'sessions.end': { input: z.object({ ...asker, session: z.string() }), answer: z.object({ ended: z.boolean() }) },
  /** `url` works once; null while no screen is served. */
  'sessions.open': {
    input: z.object({ kiosk: kioskName.nullable() }),
    answer: z.object({ url: z.string().nullable() }),
  },
  'people.list': {
    input: z.object({}),
    answer: z.object({
      people: z.array(person),
      /** Names that are not on the list as this till wrote it; absent in an answer of an older version. */
      doubts: z
        .object({ changed: z.array(z.string()), missing: z.array(z.string()), is_list_whole: z.boolean() })
        .optional(),
    }),
  },
  'people.add_manager': { input: z.object({ ...asker, name: z.string(), pin: z.string() }), answer: added },
  'people.add_cashier': {
    input: z.object({ ...asker, name: z.string(), employee_ref: z.string(), badge: z.string() }),
    answer: added,
  },
  'people.remove': { input: z.object({ ...asker, name: z.string() }), answer: z.object({ removed: z.boolean() }) },
  'settings.list': { input: z.object({}), answer: settingsViewSchema },
  'settings.change': {
    /** By dotted name; null takes a setting back. */
    input: z.object({ ...asker, patch: z.record(z.string(), z.unknown()), confirmed: z.boolean() }),
    answer: settingsChangedSchema,
  },
  counts: { input: z.object({}), answer: z.object({ states: z.record(z.enum(operationStates), z.int()) }) },
} as const;

export type OfficeCallName = keyof typeof officeCalls;
export type OfficeInput<Name extends OfficeCallName> = z.input<(typeof officeCalls)[Name]['input']>;
export type OfficeAnswer<Name extends OfficeCallName> = z.output<(typeof officeCalls)[Name]['answer']>;
