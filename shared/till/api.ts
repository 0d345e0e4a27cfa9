import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { currency, instant, positiveCount, positiveMinor, positivePoints, text } from '../contract/primitives.ts';
import { activityInputSchema, activityPartSchema, operationDetailSchema } from './activity-views.ts';
import { attentionCommands } from './attention-commands.ts';
import { customerCommands } from './customer-commands.ts';
import { dayCommands } from './day-commands.ts';
import { diagnosticsCommands } from './diagnostics-commands.ts';
import { displayTillCommands } from './display-views.ts';
import { holdCommands } from './hold-commands.ts';
import { labCommands } from './lab-commands.ts';
import { locales } from './locales.ts';
import { operationIdSchema, receiptNumber } from './operation-input.ts';
import { practiceCommands } from './practice-commands.ts';
import { receiptCommands } from './receipt-commands.ts';
import { settingsCommands } from './settings-commands.ts';
import { foundCustomerSchema, operationViewSchema, tillStateSchema } from './views.ts';
import { writeCommands } from './write-commands.ts';

export const earnInputSchema = z
  .object({
    operation_id: operationIdSchema,
    identifier: identifierSchema,
    /** Shown in Recent; never sent to the service. */
    customer_name: text.nullable(),
    card_id: text.optional(),
    amount_minor: positiveMinor.optional(),
    currency: currency.optional(),
    points: positivePoints.optional(),
    stamps: positiveCount.optional(),
    visits: positiveCount.optional(),
    receipt_number: receiptNumber.optional(),
    /** The amount was handed over by a POS program: the sale is taken under its reference. */
    handed_over_id: text.optional(),
    occurred_at: instant.optional(),
    /**
     * `ask` answers `looks_like_a_repeat` when the same customer and value were taken within ten minutes, from here or
     * from a POS program; `accepted` is the cashier's "yes, once more".
     */
    repeat: z.enum(['ask', 'accepted']).default('ask'),
    /** `ask` answers `looks_large` above `limits.confirm_above_minor`; `accepted`: the cashier has looked twice. */
    large: z.enum(['ask', 'accepted']).default('ask'),
    /** A manager's, where a limit is passed. */
    pin: z.string().max(64).optional(),
  })
  .refine(
    (value) =>
      [value.amount_minor, value.points, value.stamps, value.visits].filter((part) => part !== undefined).length === 1,
    { error: 'needs exactly one of amount_minor, points, stamps, visits' },
  );
export type EarnInput = z.input<typeof earnInputSchema>;

/** What the page may ask, with the shape of the question and of a good answer. Anything else is refused unheard. */
export const tillCommands = {
  /** The frame's state, once at the start; later changes come as events. */
  'state.read': { input: z.object({}), answer: tillStateSchema },
  /** Finds a customer: at the service, or offline among the saved customers. */
  'customer.find': { input: z.object({ identifier: identifierSchema }), answer: foundCustomerSchema },
  ...customerCommands,
  /** Takes an earn. Answered when it is saved, never before. */
  'operation.earn': {
    input: earnInputSchema,
    answer: z.object({ operation: operationViewSchema, duplicate: z.boolean() }),
  },
  /** Takes back an operation of which no byte was sent. `pin`: a manager's, where it is another cashier's. */
  'operation.cancel': {
    input: z.object({ operation_id: operationIdSchema.or(text), pin: z.string().max(64).optional() }),
    answer: z.object({ operation: operationViewSchema }),
  },
  /** The newest operations, newest first. */
  'operations.recent': {
    input: z.object({ limit: z.int().min(1).max(100).default(20) }),
    answer: z.object({ operations: z.array(operationViewSchema) }),
  },
  ...writeCommands,
  ...holdCommands,
  ...attentionCommands,
  ...labCommands,
  /** A cashier's badge, scanned or typed; or a name of `cashiers` that has a PIN, and the PIN. */
  'cashier.sign_in': {
    input: z.union([z.strictObject({ badge: text }), z.strictObject({ name: text.max(64), pin: z.string().max(64) })]),
    answer: z.object({ name: z.string(), employee_ref: z.string() }),
  },
  /** A code that was scanned for whatever it is: where it is a badge, its cashier sells from now on. */
  'cashier.switch': {
    input: z.object({ code: text }),
    /** Null: it is no badge that is known here. */
    answer: z.object({ cashier: z.object({ name: z.string(), employee_ref: z.string() }).nullable() }),
  },
  'cashier.sign_out': { input: z.object({}), answer: z.object({}) },
  /** Somebody touches the screen or types: it is not locked yet. */
  'cashier.active': { input: z.object({}), answer: z.object({}) },
  /** Locks the screen now. */
  'cashier.lock': { input: z.object({}), answer: z.object({}) },
  ...settingsCommands,
  ...diagnosticsCommands,
  ...displayTillCommands,
  /** All operations, newest first, a part at a time: there may be none in it and still more behind it. */
  'activity.list': { input: activityInputSchema, answer: activityPartSchema },
  /** One operation with all that is known of it. */
  'activity.show': { input: z.object({ operation_id: text }), answer: operationDetailSchema },
  ...dayCommands,
  ...practiceCommands,
  ...receiptCommands,
  /** Remembers the language of the screen. */
  'locale.set': { input: z.object({ locale: z.enum(locales) }), answer: z.object({}) },
} as const;

export type TillCommandName = keyof typeof tillCommands;
export type TillInput<C extends TillCommandName> = z.input<(typeof tillCommands)[C]['input']>;
export type TillAnswer<C extends TillCommandName> = z.output<(typeof tillCommands)[C]['answer']>;

export const tillErrorCodes = [
  /** The question was not in shape; `field` names what is wrong. */
  'invalid',
  /** The service knows no such customer. */
  'customer_not_found',
  /** The service cannot be asked now and nothing is kept about this customer. */
  'offline',
  /** The service refused; `service_code` has its code. */
  'refused',
  /** The same reference stands for another sale; `details` names the differing fields. */
  'reference_taken',
  /** The same customer and value a moment ago: ask the cashier. */
  'looks_like_a_repeat',
  /** Above `limits.confirm_above_minor`, in `details`: ask the cashier. */
  'looks_large',
  /** Above a limit that a manager alone may pass; `details` has its value and its name. */
  'above_limit',
  /** It could not be written to the disk. The sale is NOT taken: keep the receipt. */
  'not_saved',
  /** Too many operations wait. The sale is NOT taken. */
  'queue_full',
  /** It was sent already, or is final. */
  'cannot_cancel',
  /** No byte of it reached the service, and none will: ask again. */
  'not_sent',
  /** Another key had sent it, or its outcome is not known: the service's books cannot be read now. */
  'books_unread',
  /** It has no reversal, or none now; `details` has the reason and the operation. */
  'irreversible',
  /** It does not wait for that decision; `details` has the operation. */
  'not_now',
  /** A manager's PIN is needed. */
  'pin_needed',
  /** `details` has how many more may be tried before it is locked. */
  'pin_wrong',
  /** Too many wrong PINs in a row; `details` has how many milliseconds are left. */
  'pin_locked',
  /** The service showed another customer than was asked for, twice: nobody is put in front. Ask again. */
  'answered_for_another',
  /** No manager is believed: the list of people was changed by another program. */
  'people_changed',
  /** No cashier of this till has that badge. */
  'badge_unknown',
  /** Where people sign in, somebody has to, for what stands in their name. */
  'sign_in_needed',
  /** The screen is locked: a badge or a PIN unlocks it. */
  'locked',
  /** Too many unknown badges in a row; `details` has the milliseconds that are left. */
  'badge_locked',
  /** No operation of that id. */
  'operation_not_found',
  /** This agent has no sandbox of its own, or is in production. */
  'no_lab',
  /** The sandbox's control API refused; `field` names what is wrong. */
  'lab_refused',
  /** The agent did not answer, or is going down. */
  'agent_gone',
] as const;
export type TillErrorCode = (typeof tillErrorCodes)[number];

const tillErrorSchema = z.object({
  code: z.enum(tillErrorCodes),
  /** For the log and for people who read English; the screen has its own words for each code. */
  message: z.string(),
  field: z.string().optional(),
  service_code: z.string().optional(),
  details: z.array(z.unknown()).optional(),
});
export type TillError = z.infer<typeof tillErrorSchema>;

/** What the agent tells the page without being asked. */
export const tillEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), state: tillStateSchema }),
  z.object({ type: z.literal('operation'), operation: operationViewSchema }),
]);
export type TillEvent = z.output<typeof tillEventSchema>;

export type TillReply<Answer> =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly error: TillError };

/** How far the page's own line to the agent is. */
export type TillLink = 'connecting' | 'open' | 'lost';

/** What the desktop app tells its page of an agent that runs in another process. */
export interface LinkEvent {
  readonly type: 'link';
  readonly link: Exclude<TillLink, 'connecting'>;
}

/** What the page is given, whichever shell it runs in. It never throws and never rejects. */
export interface TillApi {
  call<C extends TillCommandName>(command: C, input: TillInput<C>): Promise<TillReply<TillAnswer<C>>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: TillEvent) => void): () => void;
  /** The line between page and agent; on `open` the page reads everything again. */
  onLink(listener: (link: TillLink) => void): () => void;
}

/** One question over IPC or a WebSocket. */
export const tillRequestSchema = z.object({ id: z.int(), command: z.string(), input: z.unknown() });

/** What travels back: the reply to a question, or an event. */
const tillMessageSchema = z.union([
  z.object({ id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), error: tillErrorSchema }),
  z.object({ event: tillEventSchema }),
]);
export type TillMessage = z.output<typeof tillMessageSchema>;
