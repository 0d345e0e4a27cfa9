import { z } from 'zod';
import { freeText } from '../contract/primitives.ts';
import { businessDateSchema, dayCloseSchema, dayViewSchema, openCountsSchema } from './day-views.ts';

/** What became of a closing. */
const dayClosedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed'), day: dayViewSchema }),
  /** Nothing was changed: it had been closed before. */
  z.object({ kind: z.literal('already_closed'), close: dayCloseSchema, day: dayViewSchema }),
  /** Nothing was changed: more or less is open than was acknowledged. */
  z.object({ kind: z.literal('needs_acknowledgement'), open: openCountsSchema }),
  /** Nothing was changed: that day has not begun yet. */
  z.object({ kind: z.literal('not_begun'), today: z.string() }),
]);

/** The books of a business day: counted, closed once, and what a closing carried over. */
export const dayCommands = {
  /** Today's, when no date is named. */
  'day.read': { input: z.object({ business_date: businessDateSchema.optional() }), answer: dayViewSchema },
  'day.close': {
    input: z.object({
      business_date: businessDateSchema,
      /** Who closes it; stands in the books. At a till with people it is who has signed in, or the manager of the PIN. */
      closed_by: freeText.refine((name) => name.trim() !== '', 'must not be only spaces'),
      /** A manager's, where nobody has signed in. */
      pin: z.string().max(64).optional(),
      /** So many open ones the person has seen: just as many are carried over, none unseen. */
      acknowledged_open: z.int().min(0).default(0),
    }),
    answer: dayClosedSchema,
  },
  /** Closed days, the newest first. */
  'day.list': {
    input: z.object({
      limit: z.int().min(1).max(366).default(31),
      /** Only days before this one. */
      before: businessDateSchema.optional(),
    }),
    answer: z.object({ closes: z.array(dayCloseSchema) }),
  },
} as const;
