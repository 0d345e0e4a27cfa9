import { z } from 'zod';
import { text } from '../contract/primitives.ts';
import { operationIdSchema } from './operation-input.ts';

export const receiptCommands = {
  /**
   * Prints the receipt of an operation. The page makes a `print_id` for each press, and each `print_id` prints once.
   */
  'receipt.print': {
    input: z.object({ print_id: operationIdSchema, operation_id: text }),
    /** `unknown`: it may have been printed. */
    answer: z.object({ outcome: z.enum(['printed', 'not_printed', 'unknown']) }),
  },
} as const;
