// One producer: how long until a sale is on the disk, beside one prepared insert of the same row?
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import type { NewEarn } from '../../../app/operations/intake/save-outcome.ts';
import { benchCore } from '../bench-core.ts';
import { answer, contenderInput } from '../contender.ts';
import { inTurns, percentile } from '../measure.ts';
import { openPlainInsert } from '../plain-insert.ts';
import { openPlainJobs } from '../plain-jobs.ts';
import { createSales } from '../sample-earns.ts';
import { openSavingFloor } from '../saving-floor.ts';

const input = contenderInput(z.object({ dataDir: z.string(), rounds: z.int(), earnsPerRound: z.int() }));

const core = benchCore(input.dataDir);
const plain = openPlainInsert(join(input.dataDir, 'plain.sqlite'));
const bytes = new BetterSqlite3(join(input.dataDir, 'bytes.sqlite'));
bytes.pragma('journal_mode = WAL');
bytes.pragma('synchronous = FULL');
bytes.exec('CREATE TABLE outbox (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
const insertBytes = bytes.prepare<[string]>('INSERT INTO outbox (body) VALUES (?)');
const made = openPlainInsert(join(input.dataDir, 'made.sqlite'));
const floor = openSavingFloor(join(input.dataDir, 'floor.sqlite'));
const { queue } = openPlainJobs(join(input.dataDir, 'plainjob.sqlite'));
const nextEarns = createSales();

async function p50UsOfAnswers(save: (earn: NewEarn) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (const earn of nextEarns(input.earnsPerRound)) {
    const startMs = performance.now();
    await save(earn);
    times.push((performance.now() - startMs) * 1_000);
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
  agent: () =>
    p50UsOfAnswers(async (earn) => {
      const outcome = await core.saveEarn(earn);
      if (outcome.kind !== 'saved') throw new Error(`A sale was not saved: ${JSON.stringify(outcome)}`);
    }),
  plain: () => p50UsOf(plain.prepare(input.earnsPerRound)),
  /** The first step of the floor: the same insert of a row that is made and sealed first. */
  made: () => p50UsOf(nextEarns(input.earnsPerRound).map((earn) => () => made.save([earn]))),
  /** The floor: all that nobody can leave out. */
  floor: () => p50UsOfAnswers((earn) => floor.save(earn)),
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
made.close();
floor.close();
bytes.close();
queue.close();
