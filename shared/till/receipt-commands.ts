import { z } from 'zod';
import { text } from '../contract/primitives.ts';
import { operationIdSchema } from './operation-input.ts';

export const receiptCommands = {
  /** Prints the receipt of an operation. `print_id` is made with the press: the same one prints once. */
  'receipt.print': {
    input: z.object({ print_id: operationIdSchema, operation_id: text }),
    /** `unknown`: it may have been printed. */
    answer: z.object({ outcome: z.enum(['printed', 'not_printed', 'unknown']) }),
  },
} as const;
