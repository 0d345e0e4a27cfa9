// The agent's core works off a backlog: from the opening of the gate until the last row is accepted and durable.
import { z } from 'zod';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';

const input = contenderInput(z.object({ dataDir: z.string(), baseUrl: z.string(), rows: z.int() }));
const lookEveryMs = 5;

const core = benchCore(input.dataDir, input.baseUrl);
await new Promise<void>((resolve) => {
  const unsubscribe = core.onChange(() => {
    if (core.status().connection.state !== 'online') return;
    unsubscribe();
    resolve();
  });
});
const startMs = performance.now();
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    // The counts are read from the database after each commit: a row in them is on the disk.
    if (core.status().operations.accepted < input.rows) return;
    clearInterval(timer);
    resolve();
  }, lookEveryMs);
});
const seconds = (performance.now() - startMs) / 1_000;
await core.close();
answer({ rowsPerSecond: input.rows / seconds, peakMb: process.resourceUsage().maxRSS / 1_024 });
process.exit();
