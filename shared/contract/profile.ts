import { z } from 'zod';
import { instant } from './primitives.ts';

/**
 * Null: the card does not have this dimension, which differs from zero (spec "balances object"). The schema does not
 * show which fields are required: a reader fills in what a service leaves out, and our service always sends all.
 */
export const balancesSchema = z.lazy(() =>
  z
    .object({
      points: z.number().nullable().default(null),
      cashback_minor: z.int().nullable().default(null),
      stamps: z.int().nullable().default(null),
      visits: z.int().nullable().default(null),
      rewards_available: z.int().nullable().default(null),
      currency: z.string().nullable().default(null),
    })
    .meta({ id: 'Balances' }),
);
export type Balances = z.output<typeof balancesSchema>;

/**
 * The balances that a transaction tells: the specification leaves their inner shape open, so that any object is taken
 * and handed on as it is (spec "Transaction").
 */
export const toldBalancesSchema = z.record(z.string(), z.unknown());
export type ToldBalances = z.infer<typeof toldBalancesSchema>;

/**
 * The balances of a transaction when they are told whole, as a card's are.
 *
 * @returns null when they are not known: in another shape, or told in part. The null of a field that was left out would
 *   say that the card has no such dimension
 */
export function readBalances(told: ToldBalances | null): Balances | null {
  if (told === null) return null;
  const read = balancesSchema.safeParse(told);
  return read.success && Object.keys(read.data).every((field) => Object.hasOwn(told, field)) ? read.data : null;
}

const availableRewardSchema = z.lazy(() =>
  z.object({ reward_id: z.string(), name: z.string() }).meta({ id: 'Reward' }),
);

/**
 * Spec "Card entry". Missing fields are filled in, as for balances. `allowed_operations` may hold unknown operations.
 */
export const cardEntrySchema = z.lazy(() =>
  z
    .object({
      card_id: z.string().min(1),
      template_name: z.string().default(''),
      card_type: z.int().default(-1),
      balances: balancesSchema.prefault({}),
      available_rewards: z.array(availableRewardSchema).default([]),
      allowed_operations: z.array(z.string()).default([]),
    })
    .meta({ id: 'CardEntry' }),
);
export type CardEntry = z.output<typeof cardEntrySchema>;

/** Every field is always present; nullable ones carry null (spec "CustomerProfile"). */
export const customerProfileSchema = z.lazy(() =>
  z
    .object({
      customer_id: z.string().min(1),
      name: z.string().nullable(),
      phone: z.string().nullable(),
      email: z.string().nullable(),
      verified: z.boolean(),
      balances_as_of: instant,
      cards: z.array(cardEntrySchema),
    })
    .meta({ id: 'CustomerProfile' }),
);
export type CustomerProfile = z.output<typeof customerProfileSchema>;
