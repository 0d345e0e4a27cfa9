import { z } from 'zod';
import { operationStates } from '../machines/operation.ts';
import { cashierDaySchema, dayLineSchema } from './day-line.ts';
import { operationViewSchema } from './views.ts';

export type { CashierDay, DayFigure, DayLine, HeldSum } from './day-line.ts';

export const businessDateSchema = z.iso.date('must be a date such as 2026-11-20');

/** That a day was closed. */
export const dayCloseSchema = z.object({
  business_date: z.string(),
  closed_at: z.iso.datetime(),
  closed_by: z.string(),
  /** So many were open then, and were carried over. */
  open_count: z.int(),
});
export type DayCloseView = z.output<typeof dayCloseSchema>;

/** What a closing carried over, as it stands now. */
const carriedSchema = z.object({
  /** The day that was closed with them. */
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

/** How many have not come to an end: `attention` waits for a person. */
export const openCountsSchema = z.object({ waiting: z.int(), attention: z.int() });
export type OpenCounts = z.output<typeof openCountsSchema>;

/** With the name, where the cashier is on the list of people. */
const cashierViewSchema = cashierDaySchema.extend({ name: z.string().nullable() });
export type CashierDayView = z.output<typeof cashierViewSchema>;

/** What came to a day after its closing. */
const lateSchema = z.object({
  count: z.int(),
  lines: z.array(dayLineSchema),
  cashiers: z.array(cashierViewSchema),
});

/** A business day, counted. */
export const dayViewSchema = z.object({
  business_date: z.string(),
  /** The business day that it is now. */
  today: z.string(),
  /** `05:00`: what is sold before belongs to the day before. */
  starts_at: z.string(),
  counted_at: z.iso.datetime(),
  /** Null while it is not closed. */
  close: dayCloseSchema.nullable(),
  /** As they were counted when the day was closed; as they stand now before that. */
  lines: z.array(dayLineSchema),
  /** The same figures for each cashier; null: the day was closed by a version that did not count them. */
  cashiers: z.array(cashierViewSchema).nullable(),
  /** What came to a closed day after its closing. */
  since_closing: lateSchema.nullable(),
  /** Of this day and the days before: what closing it now would carry over. */
  open: openCountsSchema,
  /** What the closing before this day carried over; null when no earlier day was closed. */
  carried_in: carriedSchema.nullable(),
  /** What came to that earlier day after its closing. */
  after_earlier: lateSchema.nullable(),
  /** What this day's closing carried over. */
  carried_out: carriedSchema.nullable(),
});
export type DayView = z.output<typeof dayViewSchema>;
