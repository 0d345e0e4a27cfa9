import { z } from 'zod';
import { operationStates } from '../machines/operation.ts';
import { cashierDaySchema, dayLineSchema } from './day-line.ts';
import { operationViewSchema } from './views.ts';

export type { CashierDay, DayFigure, DayLine, HeldSum } from './day-line.ts';

export const businessDateSchema = z.iso.date('must be a date such as 2026-11-20');

/** The closing of a day. */
export const dayCloseSchema = z.object({
  business_date: z.string(),
  closed_at: z.iso.datetime(),
  closed_by: z.string(),
  /** How many were open then and carried over. */
  open_count: z.int(),
});
export type DayCloseView = z.output<typeof dayCloseSchema>;

/** What a closing carried over, as it is now. */
const carriedSchema = z.object({
  /** The day that was closed. */
  business_date: z.string(),
  count: z.int(),
  outcomes: z.object({
    applied: z.int(),
    waiting: z.int(),
    refused: z.int(),
    written_off: z.int(),
    taken_back: z.int(),
  }),
  /** Oldest first; not all of them when there are many. */
  operations: z.array(z.object({ was: z.enum(operationStates), now: operationViewSchema })),
});
export type Carried = z.output<typeof carriedSchema>;

/** How many operations are not final; `attention`: a person has to decide. */
export const openCountsSchema = z.object({ waiting: z.int(), attention: z.int() });
export type OpenCounts = z.output<typeof openCountsSchema>;

/** With the cashier's name; null when the cashier is not on the list of people. */
const cashierViewSchema = cashierDaySchema.unwrap().extend({ name: z.string().nullable() });
export type CashierDayView = z.output<typeof cashierViewSchema>;

/** What was added to a day after it was closed. */
const lateSchema = z.object({
  count: z.int(),
  lines: z.array(dayLineSchema),
  cashiers: z.array(cashierViewSchema),
});

/** A business day, counted. */
export const dayViewSchema = z.object({
  business_date: z.string(),
  /** The current business day. */
  today: z.string(),
  /** `05:00`: when the day starts. A sale before that belongs to the day before. */
  starts_at: z.string(),
  counted_at: z.iso.datetime(),
  /** Null while it is not closed. */
  close: dayCloseSchema.nullable(),
  /** Counted when the day was closed; before that, counted now. */
  lines: z.array(dayLineSchema),
  /** The same figures for each cashier; null: the day was closed by a version that did not count them. */
  cashiers: z.array(cashierViewSchema).nullable(),
  /** What was added to a closed day after it was closed. */
  since_closing: lateSchema.nullable(),
  /** What closing the day now would carry over, of this day and the days before. */
  open: openCountsSchema,
  /** What the closing before this day carried over; null when no earlier day was closed. */
  carried_in: carriedSchema.nullable(),
  /** What was added to that earlier day after it was closed. */
  after_earlier: lateSchema.nullable(),
  /** What this day's closing carried over. */
  carried_out: carriedSchema.nullable(),
});
export type DayView = z.output<typeof dayViewSchema>;
