import { z } from 'zod';
import { operationIntents } from '../machines/operation-intents.ts';
import { dayUnits } from './day-names.ts';

const figureSchema = z.lazy(() =>
  z.object({
    count: z.int(),
    /** Minor units of the line's currency, points, stamps or visits; 0 where the line has no unit. */
    total: z.number(),
  }),
);
export type DayFigure = z.output<typeof figureSchema>;

/** One operation and currency of a business day. */
export const dayLineSchema = z.lazy(() =>
  z.object({
    intent: z.enum(operationIntents),
    /** The intent that a reversal undoes; null when the original is not this till's. */
    takes_back: z.enum(['earn', 'redeem']).nullable(),
    unit: z.enum(dayUnits),
    /** Only for money; else null. */
    currency: z.string().nullable(),
    applied: figureSchema,
    waiting: figureSchema,
    /** Refused or failed: a person has to decide. */
    refused: figureSchema,
    written_off: figureSchema,
    /** Sales of that day that were cancelled or reversed. */
    taken_back: figureSchema,
  }),
);
export type DayLine = z.output<typeof dayLineSchema>;

/** What is held on customers' cards for orders that are not paid yet. */
const heldSumSchema = z.lazy(() =>
  z.object({
    unit: z.enum(['points', 'money']),
    /** Only for money; else null. */
    currency: z.string().nullable(),
    ...figureSchema.unwrap().shape,
  }),
);
export type HeldSum = z.output<typeof heldSumSchema>;

/** The lines of one cashier on a business day. */
export const cashierDaySchema = z.lazy(() =>
  z.object({
    /** Null: nobody was signed in. */
    employee_ref: z.string().nullable(),
    lines: z.array(dayLineSchema),
    /** What was held when the day was counted; empty for every day but the current one. */
    held: z.array(heldSumSchema),
  }),
);
export type CashierDay = z.output<typeof cashierDaySchema>;
