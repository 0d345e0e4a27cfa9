import { z } from 'zod';

/** A person of the shop. PINs and badges are never sent. */
export const personSchema = z.object({
  name: z.string(),
  role: z.enum(['manager', 'cashier']),
  employee_ref: z.string().nullable(),
  /** A manager always has a PIN. A cashier with a PIN can also sign in by name. */
  has_pin: z.boolean(),
});
export type PersonView = z.output<typeof personSchema>;

export const personFields = ['name', 'pin', 'badge', 'employee_ref'] as const;
/** The fields that can be wrong when a person is added. */
export type PersonField = (typeof personFields)[number];

/** The facts about a POS program's token. The token itself is shown only once, when it is made. */
export const tokenFactsSchema = z.object({
  name: z.string(),
  reference_prefix: z.string(),
  /** The token's last characters. */
  hint: z.string(),
  /** Null: it was made together with the agent. */
  made_at: z.iso.datetime().nullable(),
  /** The last use since the agent began; null when there was none. */
  last_used_at: z.iso.datetime().nullable(),
});
export type TokenFacts = z.output<typeof tokenFactsSchema>;
