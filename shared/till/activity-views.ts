import { z } from 'zod';
import { operationStates } from '../machines/operation.ts';
import { activityKinds } from './activity-kinds.ts';
import { causes, operationViewSchema } from './views.ts';

/** The filter of the list. An absent field lets everything pass. */
export const activityInputSchema = z.object({
  states: z.array(z.enum(operationStates)).optional(),
  /** Only operations that the service has although the till had said otherwise. */
  found: z.boolean().optional(),
  business_date: z.iso.date('must be a date such as 2026-11-20').optional(),
  /** Part of a reference, a name, an identifier or the service's id. */
  text: z.string().max(255).optional(),
  /** Part of the customer's name or identifier. */
  customer: z.string().max(255).optional(),
  kind: z.enum(activityKinds).optional(),
  /** The cashier's reference; empty: operations while nobody was signed in. */
  employee_ref: z.string().max(255).optional(),
  /** Shows refused tries of one sale in the last try's row, and leaves out wrong codes. */
  fold_tries: z.boolean().default(false),
  /** The most operations in one answer. */
  limit: z.int().min(1).max(1_000).default(50),
  /** Where the last part ended. */
  before_row: z.int().optional(),
  /** Also sends where each operation was taken, for an export. That is read row by row, so it is slower. */
  with_origins: z.boolean().default(false),
});

/** Where an operation was taken, from its request; null once the request was erased. */
const whereTakenSchema = z.object({
  business_date: z.string(),
  branch_ref: z.string().nullable(),
  device_ref: z.string().nullable(),
  employee_ref: z.string().nullable(),
  /** The name of the POS program's token; null for the till's own screen. */
  program: z.string().nullable(),
});
export type WhereTaken = z.output<typeof whereTakenSchema>;

export const activityPartSchema = z.object({
  operations: z.array(operationViewSchema),
  /** The number of tries of each operation that was tried more than once. */
  tries: z.array(z.object({ operation_id: z.string(), count: z.int() })),
  /** Where the next part begins; null when the whole list was read. */
  before_row: z.int().nullable(),
  /** One for each operation, in the same order; empty when nobody asked for them. */
  origins: z.array(whereTakenSchema).default([]),
});

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

/** An operation with everything that is known of it. The customer is masked. */
export const operationDetailSchema = z.object({
  operation: operationViewSchema,
  request: z.object({
    origin: z.enum(['till', 'bridge']),
    /** The name of the POS program's token; null for the till's own screen, or when it was not kept. */
    pos_name: z.string().nullable(),
    path: z.string(),
    /** Null once it was erased, or when it cannot be read. */
    body: z.unknown(),
    /** False when somebody has changed the file, so that the request cannot be read. */
    is_readable: z.boolean(),
    body_version: z.int(),
    sends: z.int(),
    business_date: z.string(),
    occurred_at_from: z.enum(['caller', 'till']),
    till_time: z.iso.datetime(),
    clock_skew_ms: z.number().nullable(),
  }),
  /** The service's answer, for writes for which somebody waited. */
  answer: z.unknown(),
  history: z.array(eventSchema),
});
export type OperationDetail = z.output<typeof operationDetailSchema>;
