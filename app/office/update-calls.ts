import { z } from 'zod';
import { installOutcomes, updateViewSchema } from '../updates/update-view.ts';
import { asker, officeCall } from './office-call.ts';

/** Null: the agent has no window, and its package is updated by the operating system. */
const updateAnswer = z.object({ update: updateViewSchema.nullable() });

/** What store IT asks of the updates of the desktop app. */
export const updateCalls = {
  'update.status': officeCall({
    input: z.object({}),
    answer: updateAnswer,
    reply: (_, { keys }) => ({ update: keys.updates?.view() ?? null }),
  }),
  /** Looks at the feed now, and begins to fetch what it offers. */
  'update.check': officeCall({
    input: z.object({}),
    answer: updateAnswer,
    async reply(_, { keys }) {
      await keys.updates?.look();
      return { update: keys.updates?.view() ?? null };
    },
  }),
  'update.install': officeCall({
    input: z.object(asker),
    answer: z.object({ outcome: z.enum([...installOutcomes, 'not_here']), update: updateViewSchema.nullable() }),
    async reply({ by = null }, { keys }) {
      if (keys.updates == null) return { outcome: 'not_here' as const, update: null };
      const outcome = await keys.updates.install({ isAsked: true, by });
      return { outcome, update: keys.updates.view() };
    },
  }),
};
