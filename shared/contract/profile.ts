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
