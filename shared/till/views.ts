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
  /** Nothing is sent before this time, because the service asked to wait or refused many operations in a row. */
  waits_until: z.iso.datetime().optional(),
  /** What became of sent operations is not asked before this time: the service asked to wait with an answer to that, or fails to answer. */
  look_ups_wait_until: z.iso.datetime().optional(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const operationCountsSchema = z.object({
  queued: z.int(),
  sending: z.int(),
  unknown: z.int(),
  accepted: z.int(),
  refused: z.int(),
  failed: z.int(),
  /** How many the till had reported as not recorded, but were found at the service: a person decides. */
  found: z.int().default(0),
  /** How many of the unknown ones another program changed in the database: a person decides. */
  changed: z.int().default(0),
  /** How many of the unknown ones somebody waited for: they are looked up, and none of them is a sale to be sent. */
  checking: z.int().default(0),
});
/** How many operations wait, by state; final ones are not counted here. */
export type OperationCounts = z.infer<typeof operationCountsSchema>;

export type { Locale } from './locales.ts';
export {
  type Cause,
  type ConnectionState,
  causes,
  connectionStates,
  type SavingTrouble,
} from './state-names.ts';

/** What is wrong with the database of a mode, or was when it was opened. */
const databaseNoticeSchema = z.discriminatedUnion('code', [
  /** No sale can be saved: each is refused at once, and nothing is sent. */
  z.object({
    code: z.literal('not_saving'),
    why: z.enum(savingTroubles),
    since: z.iso.datetime(),
    /** The reason in the words of SQLite or the file system. */
    reason: z.string(),
  }),
  /** A page of the database cannot be read. It is repaired at the next start. */
  z.object({ code: z.literal('database_damaged') }),
  /** The database was damaged, restored or lost, and operations were carried into this one. */
  z.object({
    code: z.literal('database_recovered'),
    at: z.iso.datetime(),
    /** The file that was put aside; null when there is none. */
    aside: z.string().nullable(),
    why: z.enum(recoveryReasons),
    carried: z.int(),
    /** Null: the number is unknown. */
    unreadable: z.int().nullable(),
    /**
     * Of another till's backup: this till has other operations under these references. Missing when there are none.
     */
    left_out_references: z.array(z.string()).optional(),
    /**
     * Of the file that was put aside: this database has other operations under these references. Missing when there are none.
     */
    left_behind_references: z.array(z.string()).optional(),
    /** Null: no backup was ever made here. */
    last_backup_at: z.iso.datetime().nullable(),
  }),
]);
export type DatabaseNotice = z.infer<typeof databaseNoticeSchema>;

/** Problems that will stop sales when nobody acts. The screen has words for each code. */
export const noticeSchema = z.discriminatedUnion('code', [
  ...databaseNoticeSchema.options,
  z.object({ code: z.literal('disk_nearly_full'), free_bytes: z.number() }),
  z.object({ code: z.literal('queue_nearly_full'), waiting: z.int(), limit: z.int() }),
  /**
   * The API key has changed since the last start. What was sent with the old key is looked up before it is sent again.
   */
  z.object({ code: z.literal('key_changed'), waiting: z.int() }),
  /** The settings files cannot be used. Sales are taken with default settings, in the last known mode. */
  z.object({ code: z.literal('settings_lost'), mode: z.enum(modes) }),
  /** A settings file has faults, so the last good settings are used. One line for each fault. */
  z.object({ code: z.literal('settings_file_wrong'), faults: z.array(z.string()) }),
  /** The deployed settings file is used, but it is unknown who may change it. */
  z.object({ code: z.literal('settings_file_unchecked'), doubt: z.string() }),
  /** The embedded sandbox's own data could not be read, so it began with new data. */
  z.object({ code: z.literal('sandbox_began_anew'), aside: z.string() }),
  /** No backup was made for more than a day, although one is due each day. */
  z.object({
    code: z.literal('backup_late'),
    /** Null: no backup was ever made. */
    last_at: z.iso.datetime().nullable(),
    /** Why the last try failed; null when there was none yet. */
    reason: z.string().nullable(),
  }),
  /** Another program changed the list of managers and cashiers in the database. The named people cannot sign in. */
  z.object({
    code: z.literal('people_changed'),
    changed: z.array(z.string()),
    /** People who were added here and are missing from the list. */
    missing: z.array(z.string()),
    /** False: nobody on the list can sign in. */
    is_list_whole: z.boolean(),
  }),
  /** Sales of production wait while the screen is in sandbox mode. Null: they may, and their database cannot be read. */
  z.object({ code: z.literal('production_waiting'), waiting: z.int().nullable(), is_sending: z.boolean() }),
  /**
   * Of production's database, while the screen is in sandbox mode. Not told as the till's own: practice sales are taken all the same.
   */
  z.object({ code: z.literal('production_database'), trouble: databaseNoticeSchema }),
  /** A new version is on this machine. It is installed when the till is not in use. */
  z.object({ code: z.literal('update_ready'), version: z.string() }),
  /** A new version exists, but store IT or its maker holds it back. */
  z.object({ code: z.literal('update_held'), version: z.string() }),
  /** The new version is not signed, not newer, or has no room: somebody has to act. */
  z.object({ code: z.literal('update_refused'), reason: z.string() }),
  /** The new version did not start, so the old one runs again. */
  z.object({ code: z.literal('update_went_back'), from: z.string(), to: z.string() }),
]);
export type Notice = z.infer<typeof noticeSchema>;

/** Everything that is shown around the screens. Each change sends the whole state. */
export const tillStateSchema = z.object({
  mode: z.enum(modes),
  device_name: z.string(),
  branch_ref: z.string().nullable(),
  locale: z.enum(locales),
  currency: z.string(),
  time_zone: z.string(),
  /** A regular expression for card numbers. Null: every text that is no phone and no e-mail is a card. */
  card_pattern: z.string().nullable(),
  limits: z.object({
    max_amount_minor: z.int(),
    max_points: z.number(),
    max_stamps: z.int(),
    max_visits: z.int(),
    confirm_above_minor: z.int().nullable(),
  }),
  connection: connectionSchema,
  operations: operationCountsSchema,
  oldest_waiting_at: z.iso.datetime().nullable(),
  /** The sending deadline of the oldest sale that the service may not have yet; null: there is none. */
  window: z.object({
    hours: z.number(),
    seconds_left: z.int().nullable(),
    ends_at: z.iso.datetime().nullable().default(null),
  }),
  notices: z.array(noticeSchema),
  /** Who sells now. Their operations carry their reference. Null: nobody is signed in. */
  cashier: z.object({ name: z.string(), employee_ref: z.string() }).nullable(),
  /** Whether cashiers have badges here. */
  has_cashiers: z.boolean(),
  /** Null: the screen is open. `needed`: nobody is signed in; `locked`: nobody used the screen for a while. */
  sign_in: z.enum(['needed', 'locked']).nullable(),
  /** Whether the screen locks itself, so that the page has to report its use. */
  locks: z.boolean(),
  /** Who may sell here, for their names in lists. `has_pin`: the cashier can also sign in by name. */
  cashiers: z.array(z.object({ name: z.string(), employee_ref: z.string(), has_pin: z.boolean().default(false) })),
  /** Whether some decisions need a manager's PIN. */
  has_managers: z.boolean(),
  /** The amount that a POS program has handed over and that is not sold yet; null: none. */
  handed_over: z
    .object({
      id: z.string(),
      amount_minor: z.int(),
      currency: z.string(),
      receipt_number: z.string().nullable(),
    })
    .nullable(),
  /** Whether receipts can be printed here. */
  has_printer: z.boolean().default(false),
  /** The customers' screen; null when there is none. */
  display: z.object({ check_in: z.object({ id: z.string(), phone: z.string() }).nullable() }).nullable(),
  /** The cards that a new customer can get; empty: the service chooses. */
  enroll_templates: z.array(z.object({ template_id: z.string(), name: z.string() })),
  /** The price and the name of a card's reward, from the settings, because the service does not send them. */
  reward_goals: z.array(z.object({ card: z.string(), each: z.number().positive(), reward: z.string().nullable() })),
  /** The agent's clock, which in the sandbox follows the test clock. */
  now: z.iso.datetime(),
  /** How far the service's clock is ahead of `now`, in milliseconds; 0 while that is unknown. Codes and holds run out by it. */
  service_ahead_ms: z.number(),
  /** False while a test clock stands still: the page then shows `now` as it is. */
  clock_runs: z.boolean(),
  /** Cards of the embedded sandbox for a beginner; empty with any other service. */
  practice_cards: z.array(z.object({ loyalty_id: z.string(), customer_name: z.string().nullable() })),
  /** What was changed in the embedded sandbox's controls, so that nobody wonders why things are slow; null: nothing. */
  lab: z
    .object({
      /** The active faults, in their order. */
      active_faults: z.array(z.enum(faultTypes)),
      /** How far the sandbox's clock was moved forward. */
      clock_ahead_ms: z.number(),
      /** Grows with every change in the sandbox's controls. */
      change_count: z.int(),
    })
    .nullable(),
  /** From how far away the screen is read, which sets the size of its text. */
  distance: z.enum(distances),
  /** How the desktop app's window behaves. A browser does not use it. */
  desktop: z.object({ kiosk: z.boolean(), starts_at_login: z.boolean() }),
  /** The mode is not chosen yet: the first run of a packaged app. */
  asks_mode: z.boolean(),
  version: z.string(),
});
export type TillState = z.infer<typeof tillStateSchema>;

/** One operation as the screen shows it. The customer's identifier is masked. */
export const operationViewSchema = z.object({
  operation_id: z.string(),
  /** The operation's place in the order of saving. */
  row_id: z.int(),
  /** Grows with each change. The view with the higher one is the newer, whatever the clock said (`updated_at`). */
  version: z.int(),
  /** For a reversal: the operation that it undoes. */
  reverses_row_id: z.int().nullable(),
  /** The agent's own id, `txn_local_...`. */
  transaction_id: z.string(),
  service_transaction_id: z.string().nullable(),
  external_ref: z.string(),
  intent: z.enum(operationIntents),
  state: z.enum(operationStates),
  /** Why it is held up; null when it only waits for its turn. */
  cause: z.enum(causes).nullable(),
  error: receivedErrorSchema.nullable(),
  /** The reference of the cashier, or what the POS program sent; null: nobody, or not kept. */
  employee_ref: z.string().nullable(),
  customer_name: z.string().nullable(),
  /** The name of a reward or coupon, in the card's own words; null for everything else. */
  given_name: z.string().nullable(),
  /** Whether a coupon was used. If not, an operation with a given name or without a value gave a reward. */
  is_coupon: z.boolean().default(false),
  identifier_hint: z.string().nullable(),
  /** The card of the request, else the one that the service chose. */
  card_id: z.string().nullable(),
  amount_minor: z.int().nullable(),
  currency: z.string().nullable(),
  points: z.number().nullable(),
  stamps: z.int().nullable(),
  visits: z.int().nullable(),
  new_balances: balancesSchema.nullable(),
  /** When the service applied it, by the service's clock. `new_balances` are from that time. */
  completed_at: z.iso.datetime().nullable(),
  occurred_at: z.iso.datetime(),
  saved_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** How it can be undone: cancelled while no byte of it was sent, else reversed at the service. */
  undo: z.enum(['cancel', 'reverse']).nullable(),
  /** A coupon or a reward: it is given once and cannot be undone. */
  one_shot: z.boolean(),
  /** What the cashier decided while the outcome was unknown. */
  decision: z.enum(['take_full_payment', 'give_it']).nullable(),
  /** The service has it although the till had said otherwise: as it is now, or as it was before a correction. */
  found: z.enum(['stands', 'earlier_version']).nullable(),
});
export type OperationView = z.output<typeof operationViewSchema>;
/** What most commands about one operation answer. */
export const operationAnswerSchema = z.object({ operation: operationViewSchema });

/**
 * A customer as found: from the service now, or saved from an earlier look-up (`profile.balances_as_of` gives its age).
 * What the saved cards allow may be out of date. Nothing is spent from them before the service was asked.
 */
export const foundCustomerSchema = z.object({
  source: z.enum(['service', 'kept']),
  profile: customerProfileSchema,
});
export type FoundCustomer = z.output<typeof foundCustomerSchema>;
