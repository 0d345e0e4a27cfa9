import { readFileSync } from 'node:fs';
import { z } from 'zod';

const number = z.number();
const limit = z.object({ of: z.string(), side: z.enum(['at_most', 'at_least']), value: number, unit: z.string() });
const spread = z.object({ median: number, min: number, max: number, rounds: z.array(number) });
const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    measured: spread,
    figures: z.string(),
  }),
  z.object({ kind: z.literal('skipped'), reason: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
const line = z.object({
  limit,
  part: z.string().optional(),
  outcome,
  floor: spread.optional(),
  curves: z.array(z.object({ name: z.string(), points: z.array(z.tuple([number, number])) })).optional(),
});
const keptRunSchema = z.object({
  startedAt: z.iso.datetime(),
  commit: z.string().nullable(),
  machine: z.record(z.string(), z.string()),
  rounds: z.int(),
  isQuick: z.boolean(),
  goals: z.array(z.object({ goal: z.int(), lines: z.array(line) })),
});

/** A run of the bench as it was kept in a file (report.ts). */
export type KeptRun = z.output<typeof keptRunSchema>;
export type KeptLine = z.output<typeof line>;

type KeptRunRead =
  | { readonly kind: 'read'; readonly run: KeptRun }
  /** One line: what is wrong with the file. */
  | { readonly kind: 'wrong'; readonly problem: string };

/** Reads a run for the record. A quick look is none. */
export function readKeptRun(path: string): KeptRunRead {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return { kind: 'wrong', problem: error instanceof Error ? error.message : String(error) };
  }
  const read = keptRunSchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { kind: 'wrong', problem: `it is no run of the bench: ${issue?.path.join('.')}: ${issue?.message}` };
  }
  if (read.data.isQuick) {
    return {
      kind: 'wrong',
      problem: 'it was a quick look, which is not for the record; run the bench without --quick',
    };
  }
  return { kind: 'read', run: read.data };
}
