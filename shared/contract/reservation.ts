import { z } from 'zod';
import { identifierSchema } from './identifier.ts';
import { needsOne } from './json-schema.ts';
import { currency, instant, positiveMinor, positivePoints, text } from './primitives.ts';

export const reservationStates = ['reserved', 'committed', 'released', 'expired'] as const;
export type ReservationState = (typeof reservationStates)[number];

/** Longest life of a hold, in minutes; more is capped (spec "Limits"). */
export const maxTtlMinutes = 120;

/** Spec "Other shapes". */
export const reservationSchema = z.lazy(() =>
  z
    .object({
      reservation_id: z.string().min(1),
      state: z.enum(reservationStates),
      card_id: z.string().min(1),
      points: z.number().nullable(),
      amount_minor: z.int().nullable(),
      discount_value_minor: z.int().nullable(),
      currency: z.string().nullable(),
      expires_at: instant,
      duplicate: z.boolean(),
    })
    .meta({ id: 'Reservation' }),
);
export type Reservation = z.infer<typeof reservationSchema>;

/** Spec "POST /redemptions/reserve"; exactly one value (decisions "Which card"). */
export const reserveRequestSchema = z.lazy(() =>
  z
    .object({
      identifier: identifierSchema,
      external_ref: text,
      card_id: text.optional(),
      points: positivePoints.optional(),
      amount_minor: positiveMinor.optional(),
      currency: currency.optional(),
      ttl_minutes: z
        .int()
        .min(1, 'must be at least 1')
        .meta({ description: `More than ${maxTtlMinutes} is ${maxTtlMinutes}.` })
        .optional(),
    })
    .refine((value) => (value.points === undefined) !== (value.amount_minor === undefined), {
      error: 'needs exactly one of points and amount_minor',
    })
    .meta({ id: 'ReserveRequest', oneOf: needsOne(['points', 'amount_minor']) }),
);
export type ReserveRequest = z.infer<typeof reserveRequestSchema>;

/** Body of a commit: `external_ref` is the paid order's id (spec "POST /redemptions/{reservation_id}/commit"). */
export const commitRequestSchema = z.lazy(() => z.object({ external_ref: text }).meta({ id: 'CommitRequest' }));
export type CommitRequest = z.infer<typeof commitRequestSchema>;
