import { z } from 'zod';
import { freeText } from '../contract/primitives.ts';

/** Commands of a practice shift, only in the sandbox. In production they answer `no_lab`. */
export const practiceCommands = {
  /** Writes into the log that a trainee has completed all steps of a practice shift. The time is the agent's. */
  'practice.certify': {
    input: z.object({
      name: freeText.max(80).refine((name) => name.trim() !== '', 'must not be only spaces'),
      /** The duration in whole minutes. */
      minutes: z.int().min(1).max(100_000),
    }),
    answer: z.object({ name: z.string(), minutes: z.int(), completed_at: z.iso.datetime() }),
  },
} as const;
