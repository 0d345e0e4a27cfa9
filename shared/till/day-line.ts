import { z } from 'zod';
import { operationIntents } from '../machines/operation-intents.ts';
import { dayUnits } from './day-names.ts';

const figureSchema = z.object({
  count: z.int(),
  /** Minor units of the line's currency, points, stamps or visits; 0 where the line has no unit. */
  total: z.number(),
});
export type DayFigure = z.output<typeof figureSchema>;

/** One operation and currency of a business day. */
export const dayLineSchema = z.object({
  intent: z.enum(operationIntents),
  /** Of a reversal: what it takes back, where that is one of ours. */
  takes_back: z.enum(['earn', 'redeem']).nullable(),
  unit: z.enum(dayUnits),
  /** Of money alone. */
  currency: z.string().nullable(),
  applied: figureSchema,
  waiting: figureSchema,
  /** Refused or failed: a person has to decide. */
  refused: figureSchema,
  written_off: figureSchema,
  /** Sales of that day that were undone or taken back. */
  taken_back: figureSchema,
});
export type DayLine = z.output<typeof dayLineSchema>;
