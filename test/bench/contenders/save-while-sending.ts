// A till that saves a sale every few milliseconds, at rest or while its backlog goes out: how long does each take?
import { z } from 'zod';
import { benchCore, untilOnline } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { createSales } from '../sample-earns.ts';

const input = contenderInput(
  z.object({
    dataDir: z.string(),
    /** Null: nobody is there to send to, and the backlog lies. */
    baseUrl: z.string().nullable(),
    /** Sales that wait; it is measured until they are sent, or until so many were saved when nobody is there. */
    rows: z.int(),
    savesAtRest: z.int(),
    everyMs: z.number(),
  }),
);
const warmUpSaves = 200;
const lookEveryMs = 10;

const core = benchCore(input.dataDir, { baseUrl: input.baseUrl ?? undefined });
const nextSales = createSales();

/** From when the sale was due, not from when the program came to it: a busy program must not look quick. */
async function save(dueAtMs: number): Promise<number> {
  const [sale] = nextSales(1);
  if (sale === undefined) throw new Error('There is no sale');
  const outcome = await core.saveEarn(sale);
  if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
  return performance.now() - dueAtMs;
}

async function saveWhile(goesOn: (saved: number) => boolean): Promise<readonly number[]> {
  const saves: Promise<number>[] = [];
  let dueAtMs = performance.now() + input.everyMs;
  await new Promise<void>((resolve) => {
    // Looks at each turn of the event loop: a timer comes up to a millisecond late, more than most saves take.
    (function look(): void {
      for (; performance.now() >= dueAtMs; dueAtMs += input.everyMs) saves.push(save(dueAtMs));
      if (goesOn(saves.length)) setImmediate(look);
      else resolve();
    })();
  });
  return Promise.all(saves);
}

await saveWhile((saved) => saved < warmUpSaves);
if (input.baseUrl !== null) await untilOnline(core);
const startMs = performance.now();
let isSending = true;
// Not at each turn: to ask for the status costs as much as a part of a sale.
const watch = setInterval(() => {
  // What was accepted is counted after each commit: a row in it is on the disk.
  isSending = core.counts().accepted < input.rows;
}, lookEveryMs);
const tookMs = await saveWhile((saved) => (input.baseUrl === null ? saved < input.savesAtRest : isSending));
clearInterval(watch);
const seconds = (performance.now() - startMs) / 1_000;
await answer({ tookMs, sentPerSecond: core.counts().accepted / seconds });
await core.close();
process.exit();
