// One producer: how long until a sale is on the disk, beside one prepared insert of the same row?
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { inTurns, percentile } from '../measure.ts';
import { openPlainInsert } from '../plain-insert.ts';
import { openPlainJobs } from '../plain-jobs.ts';
import { createSales } from '../sample-earns.ts';

const input = contenderInput(z.object({ dataDir: z.string(), rounds: z.int(), earnsPerRound: z.int() }));

const core = benchCore(input.dataDir);
const plain = openPlainInsert(join(input.dataDir, 'plain.sqlite'));
const bytes = new BetterSqlite3(join(input.dataDir, 'bytes.sqlite'));
bytes.pragma('journal_mode = WAL');
bytes.pragma('synchronous = FULL');
bytes.exec('CREATE TABLE outbox (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
const insertBytes = bytes.prepare<[string]>('INSERT INTO outbox (body) VALUES (?)');
const duties = openPlainInsert(join(input.dataDir, 'duties.sqlite'));
const { queue } = openPlainJobs(join(input.dataDir, 'plainjob.sqlite'));
const nextEarns = createSales();

async function agentP50Us(): Promise<number> {
  const times: number[] = [];
  for (const earn of nextEarns(input.earnsPerRound)) {
    const startMs = performance.now();
    const outcome = await core.saveEarn(earn);
    times.push((performance.now() - startMs) * 1_000);
    if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
  }
  return percentile(times, 50);
}

function p50UsOf(inserts: readonly (() => void)[]): number {
  const times = inserts.map((insert) => {
    const startMs = performance.now();
    insert();
    return (performance.now() - startMs) * 1_000;
  });
  return percentile(times, 50);
}

const contenders = {
  agent: agentP50Us,
  plain: () => p50UsOf(plain.prepare(input.earnsPerRound)),
  /** The floor: the same insert of a row that is made and sealed first. */
  duties: () => p50UsOf(nextEarns(input.earnsPerRound).map((earn) => () => duties.save([earn]))),
  /** The least that any queue does: the bytes of the request alone, in a table without an index. */
  bytes: () =>
    p50UsOf(
      nextEarns(input.earnsPerRound)
        .map(({ request }) => JSON.stringify(request))
        .map((body) => () => insertBytes.run(body)),
    ),
  /** A peer that waits for no disk: a power cut can take its rows. */
  plainjob: () =>
    p50UsOf(
      nextEarns(input.earnsPerRound).map(
        ({ request }) =>
          () =>
            queue.add('earn', request),
      ),
    ),
};
// A first round of each that does not count: compiling is over when the clock starts.
for (const warmUp of Object.values(contenders)) await warmUp();
await answer(await inTurns(input.rounds, contenders));
await core.close();
plain.close();
duties.close();
bytes.close();
queue.close();
