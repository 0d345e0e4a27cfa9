import { z } from 'zod';
import { receivedErrorSchema } from '../contract/errors.ts';
import { balancesSchema, customerProfileSchema } from '../contract/profile.ts';
import { operationStates } from '../machines/operation.ts';
import { operationIntents } from '../machines/operation-intents.ts';
import { distances } from './distances.ts';
import { faultTypes } from './lab-names.ts';
import { locales } from './locales.ts';
import { modes } from './modes.ts';
import { causes, connectionStates, recoveryReasons, savingTroubles } from './state-names.ts';

export const connectionSchema = z.object({
  state: z.enum(connectionStates),
  cause: z.enum(causes).nullable(),
  since: z.iso.datetime(),
  /** Nothing is sent before that: the service has asked to wait, or many sales were refused alike. */
  waits_until: z.iso.datetime().optional(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const operationCountsSchema = z.object({
  queued: z.int(),
  sending: z.int(),
  unknown: z.int(),
  accepted: z.int(),
  refused: z.int(),
  failed: z.int(),
  /** The till had said of them that they are not recorded, and the service's books showed them: a person decides. */
  found: z.int().default(0),
  /** Of the unknown ones: changed in the database by another program, so that a person decides. */
  changed: z.int().default(0),
});
/** How many operations wait, by state; final ones are not counted here. */
export type OperationCounts = z.infer<typeof operationCountsSchema>;

export type { Locale } from './locales.ts';
export { type Mode, modes } from './modes.ts';
export {
  type Cause,
  type ConnectionState,
  causes,
  connectionStates,
  type SavingTrouble,
} from './state-names.ts';

/** What a person should know before it stops sales; the screen has words for each code. */
export const noticeSchema = z.discriminatedUnion('code', [
  /** No sale can be saved: each is refused at once, and nothing is sent. */
  z.object({
    code: z.literal('not_saving'),
    why: z.enum(savingTroubles),
    since: z.iso.datetime(),
    /** What SQLite or the file system says. */
    reason: z.string(),
  }),
  /** A page of the database cannot be read; it is repaired at the next start. */
  z.object({ code: z.literal('database_damaged') }),
  /** The database was damaged, restored or lost, and operations were carried into this one. */
  z.object({
    code: z.literal('database_recovered'),
    at: z.iso.datetime(),
    /** The file that was put aside; null when there is none. */
    aside: z.string().nullable(),
    why: z.enum(recoveryReasons),
    carried: z.int(),
    /** Null: nobody knows how many there were. */
    unreadable: z.int().nullable(),
    /** Null: none was ever made here. */
    last_backup_at: z.iso.datetime().nullable(),
  }),
  z.object({ code: z.literal('disk_nearly_full'), free_bytes: z.number() }),
  z.object({ code: z.literal('queue_nearly_full'), waiting: z.int(), limit: z.int() }),
  /** The API key is another one than at the last start; what was sent under that one is looked up before it is sent again. */
  z.object({ code: z.literal('key_changed'), waiting: z.int() }),
  /** The settings files cannot be used: sales are taken with defaults, in the last known mode. */
  z.object({ code: z.literal('settings_lost'), mode: z.enum(modes) }),
  /** A settings file is not used as it is, and the last good settings are: one line for each fault. */
  z.object({ code: z.literal('settings_file_wrong'), faults: z.array(z.string()) }),
  /** The deployed settings file is used, and nobody knows who may change it. */
  z.object({ code: z.literal('settings_file_unchecked'), doubt: z.string() }),
  /** The embedded sandbox's own books could not be read, and new ones were begun. */
  z.object({ code: z.literal('sandbox_began_anew'), aside: z.string() }),
  /** No backup was made for longer than a day, though there should be one each day. */
  z.object({
    code: z.literal('backup_late'),
    /** Null: none was ever made. */
    last_at: z.iso.datetime().nullable(),
    /** Why the last try failed; null when there was none yet. */
    reason: z.string().nullable(),
  }),
  /** The list of managers and cashiers was changed in the database by another program: whom it names cannot sign in. */
  z.object({
    code: z.literal('people_changed'),
    changed: z.array(z.string()),
    /** Added here, and no longer there. */
    missing: z.array(z.string()),
    /** False: nobody on the list can sign in. */
    is_list_whole: z.boolean(),
  }),
  /** Sales of production wait while the screen is in sandbox mode. */
  z.object({ code: z.literal('production_waiting'), waiting: z.int(), is_sending: z.boolean() }),
  /** A new version is on this machine and is installed in a quiet time. */
  z.object({ code: z.literal('update_ready'), version: z.string() }),
  /** A new version is there, and store IT or its maker holds it back. */
  z.object({ code: z.literal('update_held'), version: z.string() }),
  /** Not signed, not newer, no room: somebody has to do something. */
  z.object({ code: z.literal('update_refused'), reason: z.string() }),
  /** The new version did not start, and the one before runs again. */
  z.object({ code: z.literal('update_went_back'), from: z.string(), to: z.string() }),
]);
export type Notice = z.infer<typeof noticeSchema>;

/** Everything that the frame around the screens shows; sent whole at each change. */
export const tillStateSchema = z.object({
  mode: z.enum(modes),
  device_name: z.string(),
  branch_ref: z.string().nullable(),
  locale: z.enum(locales),
  currency: z.string(),
  time_zone: z.string(),
  /** Regular expression that a card number matches, or null: anything that is not a phone or an e-mail is a card. */
  card_pattern: z.string().nullable(),
  limits: z.object({ max_amount_minor: z.int(), confirm_above_minor: z.int().nullable() }),
  connection: connectionSchema,
  operations: operationCountsSchema,
  oldest_waiting_at: z.iso.datetime().nullable(),
  window: z.object({ hours: z.number(), seconds_left: z.int().nullable() }),
  notices: z.array(noticeSchema),
  /** Who sells now: their reference stands on what is taken. Null: nobody has signed in. */
  cashier: z.object({ name: z.string(), employee_ref: z.string() }).nullable(),
  /** Whether cashiers have badges here. */
  has_cashiers: z.boolean(),
  /** Nothing is sold or shown before a cashier signs in: nobody has signed in, or nobody was here for a while. */
  sign_in: z.enum(['needed', 'locked']).nullable(),
  /** The screen tells when it is used, so that it is not locked. */
  locks: z.boolean(),
  /** Who may sell here, for their names in lists. `has_pin`: signs in by name, too. */
  cashiers: z.array(z.object({ name: z.string(), employee_ref: z.string(), has_pin: z.boolean().default(false) })),
  /** Whether some decisions need a manager's PIN. */
  has_managers: z.boolean(),
  /** What a POS program has handed over and nobody has taken yet. */
  handed_over: z
    .object({
      id: z.string(),
      amount_minor: z.int(),
      currency: z.string(),
      receipt_number: z.string().nullable(),
    })
    .nullable(),
  /** Receipts can be printed here. */
  has_printer: z.boolean().default(false),
  /** The customer's own screen; null where there is none. */
  display: z.object({ check_in: z.object({ id: z.string(), phone: z.string() }).nullable() }).nullable(),
  /** Which card a new customer can be given; empty: the service chooses. */
  enroll_templates: z.array(z.object({ template_id: z.string(), name: z.string() })),
  /** What a reward of a card costs and is called, as far as somebody has said it: the service does not. */
  reward_goals: z.array(z.object({ card: z.string(), each: z.number().positive(), reward: z.string().nullable() })),
  /** The agent's clock, which in the sandbox follows the test clock. */
  now: z.iso.datetime(),
  /** False while a test clock stands still: the page then shows `now` as it is. */
  clock_runs: z.boolean(),
  /** Cards of the embedded sandbox to begin with; empty with any other service. */
  practice_cards: z.array(z.object({ loyalty_id: z.string(), customer_name: z.string().nullable() })),
  /** What somebody has turned at the embedded sandbox, so that nobody wonders why things are slow; else null. */
  lab: z
    .object({
      /** What faults can strike now, in their order. */
      active_faults: z.array(z.enum(faultTypes)),
      /** How far its clock was moved on. */
      clock_ahead_ms: z.number(),
      /** Grows with every change made there. */
      change_count: z.int(),
    })
    .nullable(),
  /** From where the screen is read: how large its words are. */
  distance: z.enum(distances),
  /** How the window behaves that the screen is in; a browser knows nothing of it. */
  desktop: z.object({ kiosk: z.boolean(), starts_at_login: z.boolean() }),
  /** Nobody has said yet which mode this till is for: the first run of a packaged app. */
  asks_mode: z.boolean(),
  version: z.string(),
});
export type TillState = z.infer<typeof tillStateSchema>;

/** One operation as the screen shows it. The customer's identifier comes masked. */
export const operationViewSchema = z.object({
  operation_id: z.string(),
  /** Place in the order of saving. */
  row_id: z.int(),
  /** Of a reversal: the operation that it takes back. */
  reverses_row_id: z.int().nullable(),
  /** The agent's own id, `txn_local_...`. */
  transaction_id: z.string(),
  service_transaction_id: z.string().nullable(),
  external_ref: z.string(),
  intent: z.enum(operationIntents),
  state: z.enum(operationStates),
  /** Why it waits, when something keeps it; null when it only waits its turn. */
  cause: z.enum(causes).nullable(),
  error: receivedErrorSchema.nullable(),
  /** Of the cashier who took it, or as the POS program said; null: nobody, or not kept. */
  employee_ref: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** What a reward or a coupon is called, in the card's own words; null for everything else. */
  given_name: z.string().nullable(),
  /** It used up a coupon: of what has a name or no value, the rest is a reward. */
  is_coupon: z.boolean().default(false),
  identifier_hint: z.string().nullable(),
  /** The card that was named, else the one that the service chose. */
  card_id: z.string().nullable(),
  amount_minor: z.int().nullable(),
  currency: z.string().nullable(),
  points: z.number().nullable(),
  stamps: z.int().nullable(),
  visits: z.int().nullable(),
  new_balances: balancesSchema.nullable(),
  /** When the service had applied it, by the service's clock: `new_balances` are of then. */
  completed_at: z.iso.datetime().nullable(),
  occurred_at: z.iso.datetime(),
  saved_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** How it can be taken back: without the service as long as no byte of it was sent, else by a reversal. */
  undo: z.enum(['cancel', 'reverse']).nullable(),
  /** A coupon or a reward: given once, never taken back. */
  one_shot: z.boolean(),
  /** What was chosen while the outcome was not known. */
  decision: z.enum(['take_full_payment', 'give_it']).nullable(),
  /** It stands at the service, though the till had said otherwise: as it is, or as it was before a correction. */
  found: z.enum(['stands', 'earlier_version']).nullable(),
});
export type OperationView = z.output<typeof operationViewSchema>;

/**
 * A customer as found: from the service now, or kept from an earlier look (`profile.balances_as_of` tells its age). What
 * a kept one's cards allow is as it was then: nothing is spent from them before the service has been asked.
 */
export const foundCustomerSchema = z.object({
  source: z.enum(['service', 'kept']),
  profile: customerProfileSchema,
});
export type FoundCustomer = z.output<typeof foundCustomerSchema>;
