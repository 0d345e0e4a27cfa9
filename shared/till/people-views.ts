import { z } from 'zod';

/** Somebody of the shop; PINs and badges are never told. */
export const personSchema = z.object({
  name: z.string(),
  role: z.enum(['manager', 'cashier']),
  employee_ref: z.string().nullable(),
  /** A manager always has one; a cashier with one signs in by name, too. */
  has_pin: z.boolean(),
});
export type PersonView = z.output<typeof personSchema>;

export const personFields = ['name', 'pin', 'badge', 'employee_ref'] as const;
/** What of a person to be added can be wrong. */
export type PersonField = (typeof personFields)[number];

/** A POS program's token; the token itself is told once, when it is made. */
export const tokenFactsSchema = z.object({
  name: z.string(),
  reference_prefix: z.string(),
  /** Its last characters. */
  hint: z.string(),
  /** Null: with the agent. */
  made_at: z.iso.datetime().nullable(),
  /** Since the agent began; null when it was not. */
  last_used_at: z.iso.datetime().nullable(),
});
export type TokenFacts = z.output<typeof tokenFactsSchema>;
