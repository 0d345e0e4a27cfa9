import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { cardAndValueFields, instant, text } from '../contract/primitives.ts';
import { valueFields } from '../contract/value-fields.ts';
import { activityInputSchema, activityPartSchema, operationDetailSchema } from './activity-views.ts';
import { attentionCommands } from './attention-commands.ts';
import { customerCommands } from './customer-commands.ts';
import { dayCommands } from './day-commands.ts';
import { diagnosticsCommands } from './diagnostics-commands.ts';
import { displayTillCommands } from './display-views.ts';
import { holdCommands } from './hold-commands.ts';
import { labCommands } from './lab-commands.ts';
import { maxNameLength } from './limits.ts';
import { locales } from './locales.ts';
import { operationIdSchema, pinSchema, receiptNumber } from './operation-input.ts';
import { practiceCommands } from './practice-commands.ts';
import { receiptCommands } from './receipt-commands.ts';
import { settingsCommands } from './settings-commands.ts';
import { namedByService } from './shown-name.ts';
import { foundCustomerSchema, operationViewSchema, tillStateSchema } from './views.ts';
import { writeCommands } from './write-commands.ts';

export const earnInputSchema = z
  .object({
    operation_id: operationIdSchema,
    identifier: identifierSchema,
    /** Shown in Recent; never sent to the service. */
    customer_name: namedByService.nullable(),
    ...cardAndValueFields(),
    receipt_number: receiptNumber.optional(),
    /** The id of an amount that a POS program handed over. The sale gets that program's reference. */
    handed_over_id: text.optional(),
    occurred_at: instant.optional(),
    /**
     * `ask` answers `looks_like_a_repeat` when the same customer and value were saved within ten minutes, from this
     * screen or a POS program. `accepted`: the cashier says that it is another sale.
     */
    repeat: z.enum(['ask', 'accepted']).default('ask'),
    /**
     * `ask` answers `looks_large` above `limits.confirm_above_minor`; `accepted`: the cashier has confirmed the amount.
     */
    large: z.enum(['ask', 'accepted']).default('ask'),
    /** A manager's PIN, needed above a limit. */
    pin: pinSchema.optional(),
  })
  .refine((value) => valueFields.filter((field) => value[field] !== undefined).length === 1, {
    error: `needs exactly one of ${valueFields.join(', ')}`,
  });
export type EarnInput = z.input<typeof earnInputSchema>;

/** The commands of the page, each with its input and its good answer. Anything else is refused. */
export const tillCommands = {
  /** The state of the till, once at the start. Later changes come as events. */
  'state.read': { input: z.object({}), answer: tillStateSchema },
  /** Finds a customer: at the service, or offline among the saved customers. */
  'customer.find': { input: z.object({ identifier: identifierSchema }), answer: foundCustomerSchema },
  ...customerCommands,
  /** Saves an earn. The answer comes after the earn is saved, never before. */
  'operation.earn': {
    input: earnInputSchema,
    answer: z.object({ operation: operationViewSchema, duplicate: z.boolean() }),
  },
  /** Cancels an operation of which no byte was sent. `pin`: a manager's, needed for another cashier's operation. */
  'operation.cancel': {
    input: z.object({ operation_id: operationIdSchema.or(text), pin: pinSchema.optional() }),
    answer: z.object({ operation: operationViewSchema }),
  },
  /**
   * The newest operations, and all redemptions that must not be repeated unasked: those of the last ten minutes, and those
   * whose outcome is unknown. Newest first.
   */
  'operations.recent': {
    input: z.object({ limit: z.int().min(1).max(100).default(20) }),
    answer: z.object({ operations: z.array(operationViewSchema) }),
  },
  ...writeCommands,
  ...holdCommands,
  ...attentionCommands,
  ...labCommands,
  /** Signs in by a badge, scanned or typed, or by a name of `cashiers` that has a PIN, and the PIN. */
  'cashier.sign_in': {
    input: z.union([
      z.strictObject({ badge: text }),
      z.strictObject({ name: text.max(maxNameLength), pin: pinSchema }),
    ]),
    answer: z.object({ name: z.string(), employee_ref: z.string() }),
  },
  /** Takes a scanned code of any kind. When it is a badge, its cashier is signed in. */
  'cashier.switch': {
    input: z.object({ code: text }),
    /** Null: the code is no badge of this till. */
    answer: z.object({ cashier: z.object({ name: z.string(), employee_ref: z.string() }).nullable() }),
  },
  'cashier.sign_out': { input: z.object({}), answer: z.object({}) },
  /** Says that somebody uses the screen, so that it is not locked yet. */
  'cashier.active': { input: z.object({}), answer: z.object({}) },
  /** Locks the screen now. */
  'cashier.lock': { input: z.object({}), answer: z.object({}) },
  ...settingsCommands,
  ...diagnosticsCommands,
  ...displayTillCommands,
  /** Operations, newest first, one part at a time. A part may be empty although older operations pass the filter. */
  'activity.list': { input: activityInputSchema, answer: activityPartSchema },
  /** One operation with everything that is known of it. */
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
  /** The input has a wrong shape; `field` names what is wrong. */
  'invalid',
  /** The service knows no such customer. */
  'customer_not_found',
  /** The service cannot be asked now, and the customer is not saved here. */
  'offline',
  /** The service refused; `service_code` has the service's code. */
  'refused',
  /** The reference is used for another sale; `details` names the differing fields. */
  'reference_taken',
  /** The same customer and value were saved a moment ago: ask the cashier. */
  'looks_like_a_repeat',
  /** Above `limits.confirm_above_minor`, which `details` has: ask the cashier. */
  'looks_large',
  /** Above a limit that only a manager may pass; `details` has its value and its name. */
  'above_limit',
  /** The sale could not be written to the disk. It is NOT taken: keep the receipt. */
  'not_saved',
  /** Too many operations wait. The sale is NOT taken. */
  'queue_full',
  /** It was sent already, or its state is final. */
  'cannot_cancel',
  /** No byte of it reached the service, and none will. It may be asked again. */
  'not_sent',
  /** It was sent with another API key, or its outcome is unknown, and the service's records cannot be read now. */
  'books_unread',
  /** It cannot be reversed, or not now; `details` has the reason and the operation. */
  'irreversible',
  /** It does not wait for this decision; `details` has the operation. */
  'not_now',
  /** A manager's PIN is needed. */
  'pin_needed',
  /** `details` has how many more tries there are before PINs are locked. */
  'pin_wrong',
  /** Too many wrong PINs in a row; `details` has how many milliseconds are left. */
  'pin_locked',
  /** The service answered twice with another customer than the one asked for, so nobody is put in front. Ask again. */
  'answered_for_another',
  /** No manager's PIN is accepted, because another program changed the list of people. */
  'people_changed',
  /** Nothing was changed: the other mode's database, which tells who may confirm it, cannot be read. */
  'people_unread',
  /** No cashier of this till has that badge. */
  'badge_unknown',
  /** Somebody has to sign in first, because the command acts in a cashier's name. */
  'sign_in_needed',
  /** The screen is locked: a badge or a PIN unlocks it. */
  'locked',
  /** Too many unknown badges in a row; `details` has the milliseconds that are left. */
  'badge_locked',
  /** There is no operation with that id. */
  'operation_not_found',
  /** This agent has no embedded sandbox, or is in production. */
  'no_lab',
  /** The sandbox's control API refused; `field` names what is wrong. */
  'lab_refused',
  /** The agent did not answer, or is ending. */
  'agent_gone',
] as const;
export type TillErrorCode = (typeof tillErrorCodes)[number];

const tillErrorSchema = z.object({
  code: z.enum(tillErrorCodes),
  /** For the log and for readers of English. The screen has its own words for each code. */
  message: z.string(),
  field: z.string().optional(),
  service_code: z.string().optional(),
  details: z.array(z.unknown()).optional(),
});
export type TillError = z.infer<typeof tillErrorSchema>;

/** The agent's messages to the page that answer no command. */
export const tillEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), state: tillStateSchema }),
  z.object({ type: z.literal('operation'), operation: operationViewSchema }),
]);
export type TillEvent = z.output<typeof tillEventSchema>;

export type TillReply<Answer> =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly error: TillError };

/** The state of the page's own connection to the agent. */
export type TillLink = 'connecting' | 'open' | 'lost';

/** The desktop app's message to its page about an agent in another process. */
export interface LinkEvent {
  readonly type: 'link';
  readonly link: Exclude<TillLink, 'connecting'>;
}

/** The page's connection to the agent, in every shell. It never throws and never rejects. */
export interface TillApi {
  call<C extends TillCommandName>(command: C, input: TillInput<C>): Promise<TillReply<TillAnswer<C>>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: TillEvent) => void): () => void;
  /** Reports the connection between page and agent. On `open` the page reads everything again. */
  onLink(listener: (link: TillLink) => void): () => void;
}

/** One command over IPC or a WebSocket. */
export const tillRequestSchema = z.object({ id: z.int(), command: z.string(), input: z.unknown() });

/** A message to the page: the reply to a command, or an event. */
const tillMessageSchema = z.union([
  z.object({ id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), error: tillErrorSchema }),
  z.object({ event: tillEventSchema }),
]);
export type TillMessage = z.output<typeof tillMessageSchema>;
