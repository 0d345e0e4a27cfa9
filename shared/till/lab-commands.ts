import { z } from 'zod';
import { instant, text } from '../contract/primitives.ts';
import {
  labCardSchema,
  labClockSchema,
  labCodeSchema,
  labCustomerSchema,
  labEffectSchema,
  labExchangeSchema,
  labFaultSchema,
  labKeySchema,
  labMatchSchema,
  labOverviewSchema,
  labRequestSchema,
  labSettingsSchema,
  labTransactionSchema,
} from './lab-views.ts';

const nothing = z.object({});
/** Passed on unchanged. The control API checks it. */
const asGiven = z.record(z.string(), z.unknown());
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item) });

/**
 * The commands of the sandbox controls. Each is one call of the control API, made inside the process. Without the
 * embedded sandbox, and in production, all answer `no_lab`. What the control API refuses comes as `lab_refused` with
 * the field.
 */
export const labCommands = {
  /** Customers, templates, settings. */
  'lab.read': { input: nothing, answer: labOverviewSchema },
  'lab.clock': { input: nothing, answer: labClockSchema },
  'lab.move_clock': {
    input: z.union([
      z.object({ advance_ms: z.int() }),
      z.object({ set: instant }),
      z.object({ mode: z.enum(['real', 'manual']) }),
    ]),
    answer: z.object({ now: z.iso.datetime() }),
  },
  'lab.add_customer': { input: z.object({ customer: asGiven }), answer: labCustomerSchema },
  'lab.suspend_card': { input: z.object({ card_id: text }), answer: labCardSchema.pick({ suspended: true }) },
  'lab.resume_card': { input: z.object({ card_id: text }), answer: labCardSchema.pick({ suspended: true }) },
  /** The one-time codes that are not used yet, newest first. */
  'lab.codes': { input: nothing, answer: listOf(labCodeSchema) },
  'lab.faults': { input: nothing, answer: listOf(labFaultSchema) },
  'lab.add_fault': {
    input: z.object({
      match: labMatchSchema.default({}),
      effect: labEffectSchema,
      times: z.int().optional(),
      probability: z.number().optional(),
    }),
    answer: labFaultSchema,
  },
  'lab.remove_fault': { input: z.object({ fault_id: text }), answer: labFaultSchema },
  'lab.clear_faults': { input: nothing, answer: z.object({ cleared: z.int() }) },
  /** Newest first. `after`: only those that came after this request_id. */
  'lab.requests': {
    input: z.object({ limit: z.int().min(1).max(1000), after: text.optional() }),
    answer: listOf(labRequestSchema),
  },
  'lab.request': { input: z.object({ request_id: text }), answer: labExchangeSchema },
  'lab.clear_requests': { input: nothing, answer: z.object({ cleared: z.int() }) },
  /** `own_key`: the key that this till uses. */
  'lab.keys': { input: nothing, answer: listOf(labKeySchema).extend({ own_key: z.string().nullable() }) },
  'lab.add_key': { input: z.object({ key: asGiven }), answer: labKeySchema.omit({ revoked: true }) },
  'lab.change_key': { input: z.object({ key: text, change: asGiven }), answer: labKeySchema },
  'lab.revoke_key': { input: z.object({ key: text }), answer: z.object({ key: z.string() }) },
  /** Any of the settings; null clears one. */
  'lab.change_settings': { input: z.object({ changes: asGiven }), answer: labSettingsSchema },
  /** Makes a pending transaction fail at the time when it would be applied. */
  'lab.fail_transaction': { input: z.object({ transaction_id: text, code: text }), answer: labTransactionSchema },
  'lab.reset': { input: z.object({ fixtures: z.enum(['demo', 'empty']) }), answer: labOverviewSchema },
} as const;
export type LabCommandName = keyof typeof labCommands;
