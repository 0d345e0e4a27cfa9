import { z } from 'zod';
import { busyReasons } from './quiet-time.ts';
import { wayBackReasons } from './update-files.ts';

/** How it stands with updates, for store IT. */
const updateStateSchema = z.discriminatedUnion('kind', [
  /** Nothing is looked for. */
  z.object({ kind: z.literal('off'), reason: z.string() }),
  z.object({ kind: z.literal('not_looked') }),
  z.object({ kind: z.literal('current') }),
  /** The feed has a newer version for a share of the tills to which this one does not belong yet. */
  z.object({ kind: z.literal('later'), version: z.string() }),
  z.object({ kind: z.literal('held'), version: z.string(), by: z.enum(['settings', 'feed']) }),
  z.object({ kind: z.literal('fetching'), version: z.string() }),
  /** `person`: its last installation failed, and closing the till again by itself would not help. */
  z.object({ kind: z.literal('ready'), version: z.string(), waits_for: z.enum([...busyReasons, 'person']).nullable() }),
  z.object({ kind: z.literal('installing'), version: z.string() }),
  /** The feed, or its package, is not what may be installed here. */
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  /** It is tried again. `needs_it`: that alone does not help, as on a full disk. */
  z.object({ kind: z.literal('failed'), reason: z.string(), needs_it: z.boolean() }),
]);
export type UpdateState = z.output<typeof updateStateSchema>;

export const updateViewSchema = z.object({
  version: z.string(),
  state: updateStateSchema,
  looked_at: z.iso.datetime().nullable(),
  /** The version that can be gone back to after the next update; null: its package is not kept here. */
  way_back: z.string().nullable(),
  went_back: z
    .object({ from: z.string(), to: z.string(), why: z.enum(wayBackReasons), at: z.iso.datetime() })
    .nullable(),
});
export type UpdateView = z.output<typeof updateViewSchema>;

export const installOutcomes = ['begins', 'nothing_ready', 'not_now'] as const;
