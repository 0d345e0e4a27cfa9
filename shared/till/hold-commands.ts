import { z } from 'zod';
import { identifierSchema } from '../contract/identifier.ts';
import { currency, positiveMinor, positivePoints, text } from '../contract/primitives.ts';
import { maxTtlMinutes } from '../contract/reservation.ts';
import { holdViewSchema } from './hold-views.ts';
import { operationIdSchema, pinSchema, receiptNumber } from './operation-input.ts';
import { namedByService } from './shown-name.ts';
import { operationViewSchema } from './views.ts';

/** Every answer has all holds. A hold that was asked for is among them, or it is over. */
const holds = z.object({ holds: z.array(holdViewSchema) });

/** The outcome of the operation may still be unknown. */
const withOperation = z.object({ ...holds.shape, operation: operationViewSchema });

/** Holds for an order (design "Sale screen"): spec "POST /redemptions/reserve", commit and release. */
export const holdCommands = {
  'hold.list': { input: z.object({}), answer: holds },
  /** Makes a hold. The same `operation_id` again asks what became of it. */
  'hold.reserve': {
    input: z
      .object({
        operation_id: operationIdSchema,
        identifier: identifierSchema,
        customer_name: namedByService.nullable(),
        card_id: text.optional(),
        points: positivePoints.optional(),
        amount_minor: positiveMinor.optional(),
        currency: currency.optional(),
        ttl_minutes: z.int().min(1).max(maxTtlMinutes).optional(),
        /** The cart's own number; without it a number is generated. */
        cart_number: receiptNumber.optional(),
        /** A manager's PIN, needed above a limit. */
        pin: pinSchema.optional(),
      })
      .refine((value) => (value.points === undefined) !== (value.amount_minor === undefined), {
        error: 'needs exactly one of points and amount_minor',
      }),
    /**
     * `duplicate`: an earlier press has held it. A hold that is over is `refused`, with `hold_over` in `details`; where only
     * another cart number helps, as DUPLICATE_TRANSACTION without it.
     */
    answer: z.object({ ...withOperation.shape, duplicate: z.boolean() }),
  },
  /**
   * Holds the same value for the same cart again after the hold expired. With `hold_id` as the id it asks what became
   * of the hold.
   */
  'hold.again': { input: z.object({ operation_id: operationIdSchema, hold_id: text }), answer: holds },
  /** Spends a hold, because the order is paid. `operation` is the redemption. */
  'hold.commit': {
    input: z.object({ operation_id: operationIdSchema, hold_id: text, order_number: receiptNumber.optional() }),
    answer: withOperation,
  },
  'hold.release': { input: z.object({ operation_id: operationIdSchema, hold_id: text }), answer: holds },
} as const;
