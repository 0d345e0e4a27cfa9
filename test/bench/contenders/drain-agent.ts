// The agent's core works off a backlog: from the opening of the gate until the last row is accepted and durable.
import { z } from 'zod';
import { benchCore, untilOnline } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { watchProgress } from '../progress.ts';

const input = contenderInput(
  z.object({ dataDir: z.string(), baseUrl: z.string(), rows: z.int(), inFlight: z.int().optional() }),
);
const lookEveryMs = 5;

const core = benchCore(input.dataDir, { baseUrl: input.baseUrl, inFlight: input.inFlight });
await untilOnline(core);
const startMs = performance.now();
const progress = watchProgress(() => core.counts().accepted);
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    // The counts are read from the database after each commit: a row in them is on the disk.
    if (core.counts().accepted < input.rows) return;
    clearInterval(timer);
    resolve();
  }, lookEveryMs);
});
const seconds = (performance.now() - startMs) / 1_000;
const points = progress.stop();
// Each once: one that went out twice would make the agent look slow, or the service look wrong.
const { unknown } = core.counts();
if (unknown > 0) throw new Error(`Of ${unknown} sales the outcome is not known`);
await core.close();
await answer({
  rowsPerSecond: input.rows / seconds,
  progress: points,
  peakMb: process.resourceUsage().maxRSS / 1_024,
});
process.exit();
