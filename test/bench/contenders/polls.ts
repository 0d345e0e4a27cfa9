// A shop of many tills on a good line: how long after the service took a sale does the agent know what became of it?
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { benchCore, untilOnline } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { createSales } from '../sample-earns.ts';

const input = contenderInput(
  z.object({
    dataDir: z.string(),
    baseUrl: z.string(),
    salesPerSecond: z.int(),
    seconds: z.int(),
    /** So long after the last sale it ends, whatever is still not known. */
    patienceMs: z.int(),
  }),
);
const stepMs = 10;

const core = benchCore(input.dataDir, { baseUrl: input.baseUrl });
await untilOnline(core);
const sales = createSales()(input.salesPerSecond * input.seconds);
const saved: Promise<number>[] = [];
const startMs = performance.now();
while (saved.length < sales.length) {
  const due = Math.min(sales.length, Math.ceil(((performance.now() - startMs) / 1_000) * input.salesPerSecond));
  for (const sale of sales.slice(saved.length, due)) {
    saved.push(
      core.saveEarn(sale).then((outcome) => {
        if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
        return outcome.operation.rowId;
      }),
    );
  }
  await sleep(stepMs);
}
const rowIds = await Promise.all(saved);
const savedInMs = performance.now() - startMs;
const untilMs = performance.now() + input.patienceMs;
while (core.counts().applied < sales.length && performance.now() < untilMs) await sleep(stepMs);
const nowMs = Date.now();
const knownCount = core.counts().applied;

/** From the service's answer to its word that it is applied; what is not known yet has waited until now. */
const waitsMs = rowIds.map((rowId) => {
  const history = core.history(rowId);
  const acceptedAtMs = history.find(({ to }) => to === 'accepted')?.atMs ?? nowMs - input.patienceMs;
  return (history.find(({ to }) => to === 'applied')?.atMs ?? nowMs) - acceptedAtMs;
});
await core.close();
await answer({
  longestMs: Math.max(...waitsMs),
  medianMs: waitsMs.toSorted((a, b) => a - b)[waitsMs.length >> 1],
  knownCount,
  savedPerSecond: (sales.length / savedInMs) * 1_000,
});
process.exit();
