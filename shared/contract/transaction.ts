import { z } from 'zod';
import { receivedErrorSchema } from './errors.ts';
import { identifierSchema } from './identifier.ts';
import { needsOne, neverTwo } from './json-schema.ts';
import {
  cardAndValueFields,
  instant,
  intents,
  metadata,
  positiveMinor,
  positivePoints,
  serviceId,
  text,
} from './primitives.ts';
import { toldBalancesSchema } from './profile.ts';
import { countFields, redeemValueFields, valueFields } from './value-fields.ts';

export const transactionStatuses = ['pending', 'processing', 'success', 'failed', 'reversed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** Whether the service works on a transaction still: its end is not known yet. @param status left out where nobody told it */
export function isOnItsWay(status: string | undefined): boolean {
  return status === 'pending' || status === 'processing';
}

/** Spec "Transaction". `duplicate` is only in answers to writes. `new_balances` may have any inner shape. */
export const transactionSchema = z.lazy(() =>
  z
    .object({
      transaction_id: serviceId,
      intent: z.enum(intents),
      status: z.enum(transactionStatuses),
      duplicate: z.boolean().optional(),
      external_ref: z.string(),
      customer_id: z.string().nullable(),
      card_id: z.string().nullable(),
      amount_minor: z.int().nullable(),
      currency: z.string().nullable(),
      points: z.number().nullable(),
      stamps: z.int().nullable(),
      visits: z.int().nullable(),
      new_balances: toldBalancesSchema.nullable(),
      error: receivedErrorSchema.nullable(),
      occurred_at: instant,
      completed_at: instant.nullable(),
    })
    .meta({ id: 'Transaction' }),
);
export type Transaction = z.infer<typeof transactionSchema>;

export const transactionAcceptedSchema = z.lazy(() =>
  z
    .object({ transaction_id: serviceId, status: z.literal('pending'), duplicate: z.boolean() })
    .meta({ id: 'TransactionAccepted' }),
);
export type TransactionAccepted = z.infer<typeof transactionAcceptedSchema>;

/**
 * A replayed earn: at least these three fields. Our service sends the whole Transaction (spec "POST
 * /transactions/earn").
 */
export const earnReplaySchema = z.lazy(() =>
  z
    .object({
      ...transactionSchema.unwrap().partial().shape,
      transaction_id: serviceId,
      status: z.enum(transactionStatuses),
      duplicate: z.boolean(),
    })
    .meta({ id: 'EarnReplay' }),
);
export type EarnReplay = z.infer<typeof earnReplaySchema>;

export const reversalAcceptedSchema = z.lazy(() =>
  z
    .object({ ...transactionAcceptedSchema.unwrap().shape, reverses_transaction_id: serviceId })
    .meta({ id: 'ReversalAccepted' }),
);

export const transactionPageSchema = z.lazy(() =>
  z.object({ data: z.array(transactionSchema), next_cursor: z.string().nullable() }).meta({ id: 'TransactionPage' }),
);
export type TransactionPage = z.infer<typeof transactionPageSchema>;

export const transactionListSchema = z.lazy(() =>
  z.object({ data: z.array(transactionSchema) }).meta({ id: 'TransactionList' }),
);
export type TransactionList = z.infer<typeof transactionListSchema>;

export const historyQuerySchema = z.lazy(() =>
  z.object({
    // The service's own, of any length: what the request line takes.
    cursor: z.string().min(1, 'must not be empty').optional(),
    limit: z
      .union(
        [
          z.int(),
          z
            .string()
            .regex(/^\d{1,9}$/)
            .transform(Number),
        ],
        'must be a whole number',
      )
      .pipe(z.int().min(1, 'must be at least 1').max(100, 'must be at most 100'))
      .default(25),
  }),
);
export const byReferenceQuerySchema = z.lazy(() => z.object({ external_ref: text }));

function presentCount(value: object, fields: readonly string[]): number {
  return fields.filter((field) => Reflect.get(value, field) !== undefined).length;
}

/**
 * Spec "POST /transactions/earn". An amount with points, stamps or visits is only recorded (decisions "Which card").
 */
export const earnRequestSchema = z.lazy(() =>
  z
    .object({
      identifier: identifierSchema,
      external_ref: text,
      ...cardAndValueFields(),
      branch_ref: text.optional(),
      employee_ref: text.optional(),
      device_ref: text.optional(),
      occurred_at: instant.optional(),
      metadata: metadata.optional(),
    })
    .refine((value) => presentCount(value, valueFields) > 0, {
      error: `needs one of ${valueFields.join(', ')}`,
    })
    .refine((value) => presentCount(value, countFields) <= 1, { error: 'must not have two of points, stamps, visits' })
    .meta({ id: 'EarnRequest', anyOf: needsOne(valueFields), not: neverTwo(countFields) }),
);
export type EarnRequest = z.infer<typeof earnRequestSchema>;

/** Spec "POST /transactions/redeem": exactly one of the six values (decisions "Which card"). */
export const redeemRequestSchema = z.lazy(() =>
  z
    .object({
      identifier: identifierSchema,
      external_ref: text,
      ...cardAndValueFields(),
      coupon_code: text.optional(),
      reward: z.literal(true, 'must be true; leave it out instead of sending false').optional(),
      reward_id: text.optional(),
      branch_ref: text.optional(),
      employee_ref: text.optional(),
    })
    .refine((value) => presentCount(value, redeemValueFields) === 1, {
      error: `needs exactly one of ${redeemValueFields.join(', ')}`,
    })
    .meta({ id: 'RedeemRequest', oneOf: needsOne(redeemValueFields) }),
);
export type RedeemRequest = z.infer<typeof redeemRequestSchema>;

/** Body of a reversal by the service's id. It may be absent (spec "POST /transactions/{transaction_id}/reverse"). */
export const reverseByIdRequestSchema = z.lazy(() =>
  z
    .object({
      reversal_ref: text.optional(),
      amount_minor: positiveMinor.optional(),
      points: positivePoints.optional(),
      reason: text.optional(),
    })
    .meta({ id: 'ReverseByIdRequest' }),
);
export type ReverseByIdRequest = z.infer<typeof reverseByIdRequestSchema>;

/** Spec "POST /transactions/reverse". */
export const reverseRequestSchema = z.lazy(() =>
  z
    .object({ ...reverseByIdRequestSchema.unwrap().shape, external_ref: text, intent: z.enum(['earn', 'redeem']) })
    .meta({ id: 'ReverseRequest' }),
);
export type ReverseRequest = z.infer<typeof reverseRequestSchema>;
