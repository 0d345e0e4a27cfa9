import { z } from 'zod';
import { operationStates } from '../machines/operation.ts';
import { activityKinds } from './activity-kinds.ts';
import { causes, operationViewSchema } from './views.ts';

/** Which operations to look through; what is absent narrows nothing. */
export const activityInputSchema = z.object({
  states: z.array(z.enum(operationStates)).optional(),
  /** Only what was found to stand at the service though the till had said otherwise. */
  found: z.boolean().optional(),
  business_date: z.iso.date('must be a date such as 2026-11-20').optional(),
  /** Part of a reference, a name, an identifier or the service's id. */
  text: z.string().max(255).optional(),
  /** Part of the customer's name or identifier. */
  customer: z.string().max(255).optional(),
  kind: z.enum(activityKinds).optional(),
  /** Of one cashier alone; empty: what nobody had signed in for. */
  employee_ref: z.string().max(255).optional(),
  /** A refused try that was repeated stands in the last one's row; wrong codes are left out. */
  fold_tries: z.boolean().default(false),
  /** At most so many at once. */
  limit: z.int().min(1).max(1_000).default(50),
  /** Where the last part ended. */
  before_row: z.int().optional(),
  /** Also tells where each operation was taken, for an export: that is read row by row. */
  with_origins: z.boolean().default(false),
});

/** Where an operation was taken, as it says in its request: null once the request was erased. */
const operationOriginSchema = z.object({
  business_date: z.string(),
  branch_ref: z.string().nullable(),
  device_ref: z.string().nullable(),
  employee_ref: z.string().nullable(),
  /** Of the POS program's token; null at the till's own screen. */
  program: z.string().nullable(),
});
export type OperationOrigin = z.output<typeof operationOriginSchema>;

export const activityPartSchema = z.object({
  operations: z.array(operationViewSchema),
  /** How often each was tried, of those that were tried more than once. */
  tries: z.array(z.object({ operation_id: z.string(), count: z.int() })),
  /** Where to go on; null when everything was looked through. */
  before_row: z.int().nullable(),
  /** One for each operation, in the same order; empty where nobody asked. */
  origins: z.array(operationOriginSchema).default([]),
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

/** An operation with all that is known of it; the customer is masked. */
export const operationDetailSchema = z.object({
  operation: operationViewSchema,
  request: z.object({
    origin: z.enum(['till', 'bridge']),
    /** Of the POS program's token; null at the till's own screen, or when it was not kept. */
    pos_name: z.string().nullable(),
    path: z.string(),
    /** Null once erased, or when it is not readable. */
    body: z.unknown(),
    /** False when somebody has edited the file, so that nobody can read what was asked for. */
    is_readable: z.boolean(),
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
