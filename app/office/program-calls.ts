import { z } from 'zod';
import { asker, officeCall, storeItUnnamed } from './office-call.ts';

/** What store IT asks of the running program itself. */
export const programCalls = {
  /** Answered before the end begins. `pid` is of the process that ends; null where none runs. */
  stop: officeCall({
    input: z.object(asker),
    answer: z.object({ pid: z.int().nullable() }),
    reply: ({ by = storeItUnnamed }, { keys }) => {
      keys.end?.(by);
      return { pid: keys.end === undefined ? null : process.pid };
    },
  }),
};
