import { z } from 'zod';
import { text } from '../../shared/contract/primitives.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { settingFactSchema, settingsChangedSchema } from '../../shared/till/settings-views.ts';
import { causes, operationViewSchema } from '../../shared/till/views.ts';

const pageInput = {
  /** At most so many at once. */
  limit: z.int().min(1).max(1_000).default(50),
  /** Where the last part ended. */
  before_row: z.int().optional(),
};

const named = { external_ref: text, intent: z.string().optional() };

const eventSchema = z.object({
  from: z.enum(operationStates).nullable(),
  to: z.enum(operationStates),
  at: z.iso.datetime(),
  attempt: z.int(),
  cause: z.enum(causes).nullable(),
  http_status: z.int().nullable(),
  code: z.string().nullable(),
  request_id: z.string().nullable(),
  reason: z.string().nullable(),
  person: z.string().nullable(),
});

/** An operation with all that is known of it; the customer is masked. */
export const operationDetailSchema = z.object({
  operation: operationViewSchema,
  request: z.object({
    path: z.string(),
    /** Null once erased after the retention time. */
    body: z.unknown(),
    body_version: z.int(),
    sends: z.int(),
    business_date: z.string(),
    occurred_at_from: z.enum(['caller', 'till']),
    till_time: z.iso.datetime(),
    clock_skew_ms: z.number().nullable(),
  }),
  /** What the service answered, to writes for which somebody waited. */
  answer: z.unknown(),
  history: z.array(eventSchema),
});
export type OperationDetail = z.output<typeof operationDetailSchema>;

const tokenFacts = {
  name: z.string(),
  reference_prefix: z.string(),
  hint: z.string(),
  made_at: z.iso.datetime().nullable(),
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

/** What store IT asks of an agent, running or not: the one table of it. */
export const officeCalls = {
  'queue.list': {
    input: z.object({
      states: z.array(z.enum(operationStates)).optional(),
      business_date: z.iso.date('must be a date such as 2026-11-20').optional(),
      text: z.string().optional(),
      ...pageInput,
    }),
    answer: z.object({
      operations: z.array(operationViewSchema),
      /** Where to go on; null when everything was looked through. */
      before_row: z.int().nullable(),
    }),
  },
  'queue.show': { input: z.object(named), answer: z.object({ operations: z.array(operationDetailSchema) }) },
  'queue.resend': {
    input: z.object({ ...named, reason: text, person: z.string().nullable() }),
    answer: decided,
  },
  'queue.write_off': {
    input: z.object({ ...named, reason: text, person: z.string().nullable() }),
    answer: decided,
  },
  'profiles.erase': { input: z.object({}), answer: z.object({ erased: z.int() }) },
  'tokens.list': { input: z.object({}), answer: z.object({ tokens: z.array(z.object(tokenFacts)) }) },
  'tokens.make': {
    input: z.object({ name: z.string(), prefix: z.string() }),
    answer: z.union([
      /** The token is told this once. */
      z.object({ token: z.string(), ...tokenFacts }),
      z.object({ kind: z.literal('invalid'), field: z.enum(['name', 'prefix']), problem: z.string() }),
    ]),
  },
  'tokens.revoke': { input: z.object({ name: z.string() }), answer: z.object({ revoked: z.boolean() }) },
  'people.list': { input: z.object({}), answer: z.object({ people: z.array(person) }) },
  'people.add_manager': { input: z.object({ name: z.string(), pin: z.string() }), answer: added },
  'people.add_cashier': {
    input: z.object({ name: z.string(), employee_ref: z.string(), badge: z.string() }),
    answer: added,
  },
  'people.remove': { input: z.object({ name: z.string() }), answer: z.object({ removed: z.boolean() }) },
  'settings.list': { input: z.object({}), answer: z.object({ settings: z.array(settingFactSchema) }) },
  'settings.change': {
    /** By dotted name; null takes a setting back. */
    input: z.object({ patch: z.record(z.string(), z.unknown()), confirmed: z.boolean() }),
    answer: settingsChangedSchema,
  },
  counts: { input: z.object({}), answer: z.object({ states: z.record(z.enum(operationStates), z.int()) }) },
} as const;

export type OfficeCallName = keyof typeof officeCalls;
export type OfficeInput<Name extends OfficeCallName> = z.input<(typeof officeCalls)[Name]['input']>;
export type OfficeAnswer<Name extends OfficeCallName> = z.output<(typeof officeCalls)[Name]['answer']>;
