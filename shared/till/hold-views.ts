import { z } from 'zod';

/** `asking`: the reserve's answer has not come; `closing`: the commit's or the release's has not. */
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
  /** What the points are worth, where the card says. */
  discount_value_minor: z.int().nullable(),
  currency: z.string().nullable(),
  cart_ref: z.string(),
  /** Null while `asking`. */
  expires_at: z.iso.datetime().nullable(),
  /** What is under way to end it, while `closing`. */
  closing: z.enum(['commit', 'release']).nullable(),
  /** `operation_id` of that one: the same again asks what became of it. */
  closing_id: z.string().nullable(),
});
export type HoldView = z.output<typeof holdViewSchema>;
