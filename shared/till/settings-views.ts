import { z } from 'zod';
import { modes } from './views.ts';

/** One setting as it may be shown: of `api_key` never more than its kind and its last characters. */
export const settingFactSchema = z.object({
  name: z.string(),
  value: z.unknown(),
  source: z.enum(['flag', 'environment', 'managed', 'saved', 'default']),
  locked: z.boolean(),
});

/** What became of a change of settings; what is saved holds from the next start on. */
export const settingsChangedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved') }),
  z.object({
    kind: z.literal('refused'),
    problems: z.array(z.object({ field: z.string(), problem: z.string() })).readonly(),
  }),
  z.object({
    kind: z.literal('needs_confirmation'),
    waiting: z.object({ mode: z.enum(modes), count: z.int() }),
  }),
]);
