import { z } from 'zod';
import { freeText } from '../contract/primitives.ts';
import { businessDateSchema, dayCloseSchema, dayViewSchema, openCountsSchema } from './day-views.ts';
import { pinSchema } from './operation-input.ts';

/** The result of closing a day. */
const dayClosedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed'), day: dayViewSchema }),
  /** Nothing was changed: it had been closed before. */
  z.object({ kind: z.literal('already_closed'), close: dayCloseSchema, day: dayViewSchema }),
  /** Nothing was changed: the number of open operations is not the acknowledged one. */
  z.object({ kind: z.literal('needs_acknowledgement'), open: openCountsSchema }),
  /** Nothing was changed: that day has not begun yet. */
  z.object({ kind: z.literal('not_begun'), today: z.string() }),
]);

/** By one look at the closed days. */
export const mostDaysListed = 366;

/** The figures of a business day. A day is counted, and closed once; its closing carries open operations over. */
export const dayCommands = {
  /** The day of the date, or today. */
  'day.read': { input: z.object({ business_date: businessDateSchema.optional() }), answer: dayViewSchema },
  'day.close': {
    input: z.object({
      business_date: businessDateSchema,
      /**
       * Who closes the day, for the records. On a till with people it is the signed-in cashier, or the manager of the
       * PIN.
       */
      closed_by: freeText.refine((name) => name.trim() !== '', 'must not be only spaces'),
      /** A manager's PIN, when nobody is signed in. */
      pin: pinSchema.optional(),
      /**
       * How many open operations the person has seen. It must be the exact number, so that none is carried over unseen.
       */
      acknowledged_open: z.int().min(0).default(0),
    }),
    answer: dayClosedSchema,
  },
  /** Closed days, the newest first. */
  'day.list': {
    input: z.object({
      limit: z.int().min(1).max(mostDaysListed).default(31),
      /** Only days before this one. */
      before: businessDateSchema.optional(),
    }),
    answer: z.object({ closes: z.array(dayCloseSchema) }),
  },
} as const;
