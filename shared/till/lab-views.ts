import { z } from 'zod';
import { receivedErrorSchema } from '../contract/errors.ts';
import { balancesSchema } from '../contract/profile.ts';
import { faultTypes, labBalances } from './lab-names.ts';

// The answers of the sandbox's control API, as far as the screen shows them. Other fields are left out.

const instant = z.iso.datetime();

export const labCardSchema = z.object({
  card_id: z.string(),
  template_id: z.string(),
  template_name: z.string(),
  card_type: z.int(),
  loyalty_id: z.string(),
  suspended: z.boolean(),
  balances: balancesSchema,
});
export type LabCard = z.output<typeof labCardSchema>;

export const labCustomerSchema = z.object({
  customer_id: z.string(),
  external_id: z.string().nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  verified: z.boolean(),
  cards: z.array(labCardSchema),
});
export type LabCustomer = z.output<typeof labCustomerSchema>;

const labTemplateSchema = z.object({
  template_id: z.string(),
  name: z.string(),
  card_type: z.int(),
  /** The balances that a new card of this template can be given. */
  balances: z.array(z.enum(labBalances)),
});
export type LabTemplate = z.output<typeof labTemplateSchema>;

const countsSchema = z.object({
  ttl_seconds: z.number(),
  max_attempts: z.number(),
  cooling_off_seconds: z.number(),
  send_budget: z.number(),
});
export const labSettingsSchema = z.object({
  currency: z.string(),
  default_region: z.string(),
  apply_delay_ms: z.number(),
  offline_window_hours: z.number(),
  future_tolerance_seconds: z.number(),
  reservation_ttl_minutes: z.number(),
  otp: countsSchema,
  rate_limit: z.object({ requests: z.number(), per_seconds: z.number() }).nullable(),
  conversion: z.object({ minor_per_point: z.number() }).nullable(),
  default_template_id: z.string().nullable(),
  suspended: z.boolean(),
});
export type LabSettings = z.output<typeof labSettingsSchema>;

export const labOverviewSchema = z.object({
  customers: z.array(labCustomerSchema),
  templates: z.array(labTemplateSchema),
  settings: labSettingsSchema,
});
export type LabOverview = z.output<typeof labOverviewSchema>;

const dueKinds = ['transaction', 'reservation', 'otp', 'key'] as const;
/** Something that happens by itself at a later time. */
const labDueSchema = z.object({
  kind: z.enum(dueKinds),
  id: z.string(),
  at: instant,
  intent: z.string().optional(),
  external_ref: z.string().nullable(),
  /** For a key: its partner. */
  customer_name: z.string().nullable(),
  /** The error code with which it will fail. */
  planned_failure: z.string().nullable().optional(),
});
export type LabDue = z.output<typeof labDueSchema>;

export const labClockSchema = z.object({
  now: instant,
  clock: z.enum(['real', 'manual']),
  ahead_ms: z.number(),
  due: z.array(labDueSchema),
});
export type LabClock = z.output<typeof labClockSchema>;

export const labCodeSchema = z.object({
  enrollment_id: z.string(),
  external_ref: z.string(),
  phone: z.string(),
  name: z.string().nullable(),
  otp: z.string(),
  sends: z.int(),
  attempts: z.int(),
  expires_at: instant,
});
export type LabCode = z.output<typeof labCodeSchema>;

export const labEffectSchema = z.object({
  type: z.enum(faultTypes),
  /** Only for a delay. */
  ms: z.int().optional(),
  /** Only for an error; `retry_after` in seconds. */
  status: z.int().optional(),
  code: z.string().optional(),
  retry_after: z.int().optional(),
});
export type LabEffect = z.output<typeof labEffectSchema>;

export const labMatchSchema = z.object({
  method: z.string().optional(),
  path: z.string().optional(),
  external_ref: z.string().optional(),
});
export type LabMatch = z.output<typeof labMatchSchema>;

export const labFaultSchema = z.object({
  id: z.string(),
  match: labMatchSchema,
  effect: labEffectSchema,
  probability: z.number(),
  times: z.int().nullable(),
  hits: z.int(),
  hits_left: z.int().nullable(),
});
export type LabFault = z.output<typeof labFaultSchema>;

export const labRequestSchema = z.object({
  time: instant,
  duration_ms: z.number(),
  method: z.string(),
  path: z.string(),
  /** Null: no answer was given. */
  status: z.int().nullable(),
  request_id: z.string(),
  external_ref: z.string().nullable(),
  duplicate: z.boolean(),
  payload_differs: z.boolean(),
  fault: z.enum(faultTypes).nullable(),
});
export type LabRequest = z.output<typeof labRequestSchema>;

const loggedTextSchema = z.object({ text: z.string(), cut: z.boolean() }).nullable();
export const labExchangeSchema = labRequestSchema.extend({
  query: z.string(),
  request_body: loggedTextSchema,
  answer_body: loggedTextSchema,
});
export type LabExchange = z.output<typeof labExchangeSchema>;

export const labKeySchema = z.object({
  key: z.string(),
  source: z.string(),
  expires_at: instant.nullable(),
  allowed_addresses: z.array(z.string()).nullable(),
  revoked: z.boolean(),
});
export type LabKey = z.output<typeof labKeySchema>;

/** A transaction that was made to fail. */
export const labTransactionSchema = z.object({
  transaction_id: z.string(),
  error: receivedErrorSchema.nullish(),
});
