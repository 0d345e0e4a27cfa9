import { z } from 'zod';

/** `asking`: the answer to the reserve has not come; `closing`: the answer to the commit or release has not come. */
const holdStates = ['asking', 'reserved', 'closing', 'expired'] as const;
export type HoldState = (typeof holdStates)[number];

/** Points or cashback held on a card for an order, as the screen shows it. */
export const holdViewSchema = z.object({
  /** The `operation_id` of the reserve. */
  hold_id: z.string(),
  state: z.enum(holdStates),
  customer_name: z.string().nullable(),
  identifier_hint: z.string().nullable(),
  card_id: z.string().nullable(),
  points: z.number().nullable(),
  amount_minor: z.int().nullable(),
  /** The value of the points in minor units; null when the card does not say. */
  discount_value_minor: z.int().nullable(),
  currency: z.string().nullable(),
  cart_ref: z.string(),
  /** By the service's clock; null while `asking`. */
  expires_at: z.iso.datetime().nullable(),
  /** What is ending the hold, while `closing`. */
  closing: z.enum(['commit', 'release']).nullable(),
  /** The `operation_id` of that commit or release. The same id again asks what became of it. */
  closing_id: z.string().nullable(),
});
export type HoldView = z.output<typeof holdViewSchema>;
