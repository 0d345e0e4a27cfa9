import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { defaultCurrency } from '../../shared/contract/default-currency.ts';
import { currency, text } from '../../shared/contract/primitives.ts';
import { distances } from '../../shared/till/distances.ts';
import { maxPrefixLength } from '../../shared/till/limits.ts';
import { locales } from '../../shared/till/locales.ts';
import { modes } from '../../shared/till/modes.ts';
import { prefixShape } from '../../shared/till/name-shapes.ts';
import { isPrinterAddress, paperColumns } from './printer-address.ts';
import { isBarredHost } from './service-address.ts';
import { setting } from './setting-facts.ts';
import { isPattern, isTimeZone, keyPin, referencePart, webAddress, webOrigin } from './setting-values.ts';

// A start makes an object for each step of each check, so settings with the same check share one, and what is checked of a
// value stands in one step.
const count = z.int().positive();
const whole = (least: number, greatest: number) => z.int().check(z.gte(least), z.lte(greatest));
const offOrOn = z.enum(['off', 'on']);
const noOrYes = z.enum(['no', 'yes']);

/** A limit that is counted in whole numbers. */
const most = (atFirst: number, help: string) =>
  setting(count.default(atFirst), { section: 'sales', kind: 'number', help });

/**
 * The settings of one till (design "Running it"), one row each, with what holds when nothing is set. The screen, the
 * command line and the documents are made of these rows, in this order.
 */
export const settingsSchema = z.strictObject({
  mode: setting(z.enum(modes).default('sandbox'), {
    section: 'service',
    kind: 'mode',
    flag: 'MODE',
    help: 'or `production`, which needs an API key that begins with `loyalty_pk_live_`',
    concernsWaiting: true,
  }),
  base_url: setting(
    webAddress
      .transform((address) => address.replace(/\/+$/, ''))
      .nullable()
      .default(null),
    {
      section: 'service',
      kind: 'address',
      flag: 'URL',
      help: "the service's address, including `/v1`; none: the built-in sandbox",
      concernsWaiting: true,
    },
  ),
  api_key: setting(text.nullable().default(null), {
    section: 'service',
    kind: 'key',
    help: 'never a flag, because flags show in process lists; each mode has its own',
    isSecret: true,
    concernsWaiting: true,
  }),
  tls: z
    .strictObject({
      min_version: setting(z.enum(['1.2', '1.3']).default('1.2'), {
        section: 'service',
        kind: 'code',
        help: 'the oldest version of TLS for the connection to the service; or `1.3`',
      }),
      pins: setting(z.array(keyPin).max(10).default([]), {
        section: 'service',
        kind: 'list',
        help: "SHA-256 fingerprints of the service's public key, the next one beside the present one; none: any certificate that the system trusts",
      }),
    })
    .prefault({}),
  device_name: setting(text.default('Till 1'), {
    section: 'till',
    kind: 'text',
    flag: 'NAME',
    help: 'the name of this till on the screen',
  }),
  shop_name: setting(
    text
      .check(z.maxLength(48, 'must have at most 48 characters'), z.regex(/\S/, 'must not be blank'))
      .nullable()
      .default(null),
    {
      section: 'till',
      kind: 'text',
      help: "the name at the head of receipts and of the customers' screen; none: receipts begin with what happened, and the screen has the till's name",
    },
  ),
  device_ref: setting(referencePart.default('till1'), {
    section: 'till',
    kind: 'code',
    flag: 'REF',
    help: 'sent with every operation, and part of generated references',
  }),
  branch_ref: setting(referencePart.default('main'), {
    section: 'till',
    kind: 'code',
    flag: 'REF',
    help: 'the same, for the branch',
  }),
  reference_prefix: setting(
    z
      .string()
      .regex(prefixShape, `must be 1 to ${maxPrefixLength} letters, digits, dots, dashes or underscores`)
      .nullable()
      .default(null),
    {
      section: 'till',
      kind: 'code',
      help: `up to ${maxPrefixLength} letters, digits, dots, dashes or underscores; each shop on one API key needs its own. It begins every reference of this till, before the prefix of a POS program`,
    },
  ),
  printer: z
    .strictObject({
      address: setting(
        text
          .check(
            z.refine(
              isPrinterAddress,
              'must be a host with or without a port, such as 192.168.1.50, printer.lan:9100 or [fd00::50]:9100',
            ),
            z.refine(
              (at) => !isPrinterAddress(at) || !isBarredHost(`http://${at}`),
              'must not be a link-local address',
            ),
          )
          .nullable()
          .default(null),
        {
          section: 'till',
          kind: 'code',
          help: 'the receipt printer in the network (ESC/POS); its port is 9100 unless it is named; none: no printer',
        },
      ),
      columns: setting(z.literal([...paperColumns], 'must be 32, 42 or 48').default(48), {
        section: 'till',
        kind: 'number',
        help: '32 (58 mm paper), 42 or 48 (80 mm): how many letters of the printer fit on a line',
      }),
      language: setting(z.enum([...locales, 'both']).default('both'), {
        section: 'till',
        kind: 'code',
        help: `the language of printed receipts: ${locales.join(', ')} or both`,
      }),
    })
    .prefault({}),
  employee_ref: setting(text.nullable().default(null), {
    section: 'till',
    kind: 'code',
    help: 'saved with sales of the screen while no cashier has signed in',
  }),
  locale: setting(z.enum(locales).default('en'), {
    section: 'till',
    kind: 'language',
    flag: 'LOCALE',
    help: `the screen's language: ${locales.join(', ')}`,
    holdsAtOnce: true,
  }),
  currency: setting(currency.default(defaultCurrency), {
    section: 'sales',
    kind: 'code',
    flag: 'CODE',
    help: 'ISO 4217',
  }),
  window: z
    .strictObject({
      kiosk: setting(offOrOn.default('off'), {
        section: 'till',
        kind: 'switch',
        flag: 'on|off',
        help: 'or `on`: the window fills the screen, and nobody closes it before this is `off` again',
        holdsAtOnce: true,
      }),
      start_at_login: setting(offOrOn.default('off'), {
        section: 'till',
        kind: 'switch',
        help: 'or `on`: the window opens when this user logs in',
        holdsAtOnce: true,
      }),
      customer_display: setting(offOrOn.default('off'), {
        section: 'till',
        kind: 'switch',
        flag: 'on|off',
        help: 'or `on`: customers have a screen of their own; the desktop app opens it on a second display',
      }),
      distance: setting(z.enum(distances).default('normal'), {
        section: 'till',
        kind: 'distance',
        help: '`close`, `normal` (80 cm) or `far`: from where the screen is read; its words are smaller or larger',
        holdsAtOnce: true,
      }),
    })
    .prefault({}),
  cashiers: z
    .strictObject({
      sign_in: setting(offOrOn.default('off'), {
        section: 'till',
        kind: 'switch',
        help: 'or `on`: where cashiers have badges, the screen sells nothing before one of them has signed in',
        holdsAtOnce: true,
      }),
      lock_minutes: setting(whole(0, 480).default(0), {
        section: 'till',
        kind: 'number',
        help: 'the screen locks after so many minutes without a touch or a key, and a badge unlocks it; 0: never',
        holdsAtOnce: true,
      }),
    })
    .prefault({}),
  offline_window_hours: setting(z.number().positive().max(8760).default(72), {
    section: 'data',
    kind: 'number',
    help: 'the sending deadline that the screen warns about; the service decides',
  }),
  limits: z
    .strictObject({
      max_amount_minor: setting(count.default(100_000_000), {
        section: 'sales',
        kind: 'money',
        help: 'a larger sale or redemption needs a manager on the screen; a POS program is refused',
      }),
      max_points: most(1_000_000, 'the same in points'),
      max_stamps: most(1_000, 'the same in stamps'),
      max_visits: most(1_000, 'the same in visits'),
      max_amount_per_hour_minor: setting(count.default(100_000_000_000), {
        section: 'sales',
        kind: 'money',
        help: 'the same for all operations within 1 hour',
      }),
      max_points_per_hour: most(100_000_000, 'the same in points'),
      max_stamps_per_hour: most(100_000, 'the same in stamps'),
      max_visits_per_hour: most(100_000, 'the same in visits'),
      max_rewards_per_hour: most(1_000, 'the same for rewards and coupons'),
      max_enrollments_per_phone_per_hour: most(
        5,
        'the number of enrollments of one phone within 1 hour; each sends a code',
      ),
      confirm_above_minor: setting(count.nullable().default(1_000_000), {
        section: 'sales',
        kind: 'money',
        help: 'the screen asks again above this amount',
      }),
      max_queue: setting(count.default(1_000_000), {
        section: 'data',
        kind: 'number',
        help: 'the number of waiting operations at which no more are saved',
      }),
    })
    .prefault({}),
  card_pattern: setting(z.string().min(1).refine(isPattern, 'is not a regular expression').nullable().default(null), {
    section: 'sales',
    kind: 'code',
    help: 'a regular expression that tells cards from product barcodes',
  }),
  enroll_templates: setting(
    z
      .array(text.regex(/^[^=]*[^=\s]=.*\S/, 'must be a template_id, an equals sign, and a name for the cashier'))
      .max(12)
      .default([]),
    {
      section: 'sales',
      kind: 'names',
      help: "the cashier's choices for a new customer, such as `tpl_coffee=Coffee Circle,tpl_visits=Visits`; none: the service chooses the card",
    },
  ),
  reward_goals: setting(
    z
      .array(
        text.regex(
          /^[^=]*[^=\s]\s*=\s*0*[1-9]\d{0,8}(\s+\S.*)?$/,
          'must be a card, an equals sign, a number, and a name',
        ),
      )
      .max(24)
      .default([]),
    {
      section: 'sales',
      kind: 'names',
      help: 'what a reward of a card costs, and its name as it reads after "to", such as `Rewards club=100 a free coffee`; none: the screen shows no way to the next reward',
    },
  ),
  time_zone: setting(z.string().refine(isTimeZone, 'is not a time zone such as Asia/Kuwait').default('Asia/Kuwait'), {
    section: 'sales',
    kind: 'zone',
    flag: 'ZONE',
    help: 'the time zone of the business day and of the backups',
  }),
  day_starts_at: setting(
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 05:00')
      .default('05:00'),
    { section: 'sales', kind: 'time', help: 'earlier sales belong to the day before' },
  ),
  retention_days: setting(whole(1, 3650).default(30), {
    section: 'data',
    kind: 'number',
    help: 'days after which customers are erased from finished operations; values, references and totals stay',
  }),
  backup: z
    .strictObject({
      folder: setting(
        text.refine(isAbsolute, 'must be a full path, such as /mnt/backup/till-1').nullable().default(null),
        { section: 'data', kind: 'code', help: 'an existing folder; none: no backup' },
      ),
      hour: setting(whole(0, 23).default(3), {
        section: 'data',
        kind: 'number',
        help: 'each day, as soon as possible after this hour',
      }),
      keep: setting(whole(1, 1000).default(14), {
        section: 'data',
        kind: 'number',
        help: 'the number of backups of each mode; Tillbridge deletes older backups of this till',
      }),
    })
    .prefault({}),
  update: z
    .strictObject({
      feed: setting(webAddress.nullable().default(null), {
        section: 'data',
        kind: 'address',
        help: 'the folder of the signed update feed, an https address; none: no updates',
        holdsAtOnce: true,
      }),
      hold: setting(noOrYes.default('no'), {
        section: 'data',
        kind: 'code',
        help: 'or `yes`: no update is installed',
        holdsAtOnce: true,
      }),
      stage: setting(z.enum(['first', 'share', 'last']).default('share'), {
        section: 'data',
        kind: 'code',
        help: 'when this till belongs to the share of tills in the feed; or `first`: with the first ones; or `last`: when the share is 100',
        holdsAtOnce: true,
      }),
      allow_downgrade: setting(noOrYes.default('no'), {
        section: 'data',
        kind: 'code',
        help: 'or `yes`: the feed may name an older version; only in the deployed settings file',
        managedOnly: true,
        holdsAtOnce: true,
      }),
    })
    .prefault({}),
  bridge: z
    .strictObject({
      port: setting(whole(0, 65535).default(7425), {
        section: 'pos',
        kind: 'number',
        flag: 'PORT',
        help: 'the port for POS programs; 0 for any free port',
      }),
      origins: setting(z.array(webOrigin).default([]), {
        section: 'pos',
        kind: 'list',
        help: 'web origins that may call; none: no web page may call',
      }),
      answer_within_ms: setting(whole(2_000, 60_000).default(8_000), {
        section: 'pos',
        kind: 'number',
        help: '2000 to 60000: POS programs get an answer within this time; the operation goes on, and the same request later gets its outcome',
      }),
    })
    .prefault({}),
});

/**
 * For whoever reads settings: that is done a few times in the life of a process, and to compile a check of them for speed,
 * as zod does for others, would cost each start more than all the checks.
 */
export const uncompiled = { jitless: true } as const;

export type Settings = z.output<typeof settingsSchema>;
