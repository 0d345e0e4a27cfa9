// The same backlog as jobs of plainjob, with as many workers as the agent has in flight.
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { defineWorker } from 'plainjob';
import { z } from 'zod';
import { bareDispatcher } from '../bare-dispatcher.ts';
import { answer, contenderInput } from '../contender.ts';
import { openPlainJobs, silentJobLogger } from '../plain-jobs.ts';
import { watchProgress } from '../progress.ts';

const input = contenderInput(
  z.object({ file: z.string(), dataDir: z.string(), baseUrl: z.string(), isDurable: z.boolean(), inFlight: z.int() }),
);
const { origin, pathname } = new URL(input.baseUrl);

const backlog = new BetterSqlite3(input.file, { readonly: true });
const bodies = backlog.prepare<[], { body: string }>('SELECT body FROM operations ORDER BY row_id').all();
backlog.close();

const { database, queue } = openPlainJobs(join(input.dataDir, 'plainjob.sqlite'));
queue.addMany(
  'earn',
  bodies.map(({ body }): unknown => JSON.parse(body)),
);
if (input.isDurable) database.pragma('synchronous = FULL');

const dispatcher = bareDispatcher(input.inFlight);
let done = 0;
let allDone: () => void = () => undefined;
const finished = new Promise<void>((resolve) => {
  allDone = resolve;
});
const workers = Array.from({ length: input.inFlight }, () =>
  defineWorker(
    'earn',
    async ({ data }) => {
      const response = await dispatcher.request({
        origin,
        path: `${pathname}/transactions/earn`,
        method: 'POST',
        headers: {
          authorization: 'Bearer loyalty_pk_live_bench',
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: data,
      });
      const answered: unknown = JSON.parse(await response.body.text());
      if (response.statusCode !== 202 || typeof answered !== 'object') throw new Error('Not accepted');
    },
    {
      queue,
      logger: silentJobLogger,
      onCompleted: () => {
        done += 1;
        if (done === bodies.length) allDone();
      },
    },
  ),
);
const startMs = performance.now();
const progress = watchProgress(() => done);
for (const worker of workers) void worker.start();
await finished;
const seconds = (performance.now() - startMs) / 1_000;
const points = progress.stop();
await Promise.all(workers.map((worker) => worker.stop()));
queue.close();
await dispatcher.close();
await answer({
  rowsPerSecond: bodies.length / seconds,
  progress: points,
  peakMb: process.resourceUsage().maxRSS / 1_024,
});
process.exit();
