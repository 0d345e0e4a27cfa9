import { z } from 'zod';
import { dayCommands } from '../../shared/till/day-commands.ts';
import { closeDay, listCloses, readDay } from '../till/day.ts';
import { asker, officeCall, storeItUnnamed } from './office-call.ts';

/** What store IT asks of the business days. */
export const dayCalls = {
  'day.read': officeCall({
    ...dayCommands['day.read'],
    reply: ({ business_date }, { source }) => readDay(source, business_date ?? null),
  }),
  'day.close': officeCall({
    /** `closed_by` counts only where nobody can sign in: else it is closed by whoever asks. */
    input: dayCommands['day.close'].input.extend(asker),
    answer: z.union([dayCommands['day.close'].answer, z.object({ kind: z.literal('not_saved') })]),
    async reply(input, { source }) {
      const { by = storeItUnnamed, closed_by: typed } = input;
      const canSignIn = source.people.list().length > 0;
      const who = { by, ...(typed !== by && { person: typed }) };
      const reply = await closeDay(source, { ...input, closed_by: canSignIn ? by : typed }, who);
      return reply.ok ? reply.value : { kind: 'not_saved' as const };
    },
  }),
  'day.list': officeCall({
    ...dayCommands['day.list'],
    reply: (input, { source }) => listCloses(source, input),
  }),
};
