// The agent's core on a backlog: how much memory does it have when the first sale was accepted?
import { z } from 'zod';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';

const input = contenderInput(z.object({ dataDir: z.string(), baseUrl: z.string() }));

const core = benchCore(input.dataDir, { baseUrl: input.baseUrl, isSealing: false });
await new Promise<void>((resolve) => {
  const unsubscribe = core.onChange(() => {
    if (core.counts().accepted === 0) return;
    unsubscribe();
    resolve();
  });
});
const residentMb = process.memoryUsage().rss / 2 ** 20;
await core.close();
await answer({ residentMb });
process.exit();
