import { z } from 'zod';
import { freeText } from '../contract/primitives.ts';

/** A practice shift is for the sandbox alone: in production it answers `no_lab`. */
export const practiceCommands = {
  /** Writes into the log that somebody has gone through all steps of a first shift. The time is the agent's. */
  'practice.certify': {
    input: z.object({
      name: freeText.max(80).refine((name) => name.trim() !== '', 'must not be only spaces'),
      /** How long it took, in whole minutes. */
      minutes: z.int().min(1).max(100_000),
    }),
    answer: z.object({ name: z.string(), minutes: z.int(), completed_at: z.iso.datetime() }),
  },
} as const;
